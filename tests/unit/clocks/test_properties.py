"""What is true of clocks whatever happens: time adds up, and it does not matter how often somebody looks."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from projections import clock
from projections.clock import SECOND, Clocks, Owed, Tick
from projections.clock_view import at
from projections.time_control import Clock, ClockError, OnTimeout, check_clock

SEATS = 3
seconds = st.integers(0, 40)


@st.composite
def controls(draw):
    """A clock that can be."""
    made = Clock(
        bank_s=draw(st.one_of(st.none(), seconds)),
        increment_s=draw(seconds),
        bank_max_s=draw(st.one_of(st.none(), seconds)),
        delay_s=draw(seconds),
        bronstein_s=draw(seconds),
        periods=draw(st.integers(0, 3)),
        period_s=draw(seconds),
        move_s=draw(st.one_of(st.none(), seconds)),
        pause_s=draw(seconds),
        vacation_s=draw(seconds),
    )
    try:
        check_clock(made, SEATS)
    except ClockError:
        return Clock(bank_s=draw(seconds), move_s=20)
    return made


happenings = st.lists(
    st.tuples(
        st.integers(0, 30 * SECOND),
        st.sampled_from(["answer", "steps", "rewind", "request", "pause", "resume", "leave", "return", "out"]),
        st.sets(st.integers(0, SEATS - 1), min_size=1),
        st.integers(0, SEATS - 1),
    ),
    max_size=25,
)


def play(made, happening, extra=()):
    """The clocks after each happening; `extra`: looked at besides, at these shares of the time between two of them."""
    clocks, now, told = clock.begin(made, OnTimeout(), SEATS), 0, []
    for version, (wait_us, what, seats, seat) in enumerate(happening, 1):
        for share in sorted(extra):
            clock.charge(clocks, now + int(wait_us * share))
        now += wait_us
        happen(clocks, version, now, (what, tuple(sorted(seats)), seat))
        told.append(msgspec.json.encode(clocks))
    return clocks, told


def happen(clocks, version, now, happening):
    what, seats, seat = happening
    clock.charge(clocks, now)
    own = clocks.seats[seat]
    if what == "pause" and clocks.pause is None:
        clock.halt(clocks, None)
    elif what == "resume":
        clock.resume(clocks, None)
    elif what == "leave" and own.vacation is None:
        clock.halt(clocks, seat)
    elif what == "return":
        clock.resume(clocks, seat)
    opened = max(1, version // 2) if what == "rewind" else version
    owed = Owed(seats, opened, begins=what != "steps")
    answered = seat if what in ("answer", "steps", "out") else None
    clock.turn(clocks, Tick(version, clocks.at_us, owed, answered, what == "out", what == "request"))


@given(controls(), happenings, st.lists(st.floats(0, 1), max_size=3))
def test_it_does_not_matter_how_often_somebody_looks(made, happening, extra):
    assert play(made, happening, extra)[1] == play(made, happening)[1]


@given(controls(), happenings, st.integers(0, 25))
def test_a_fold_of_a_prefix_kept_as_json_goes_on_as_the_whole(made, happening, cut):
    clocks, told = play(made, happening[:cut])
    clocks, now = msgspec.json.decode(msgspec.json.encode(clocks), type=Clocks), sum(h[0] for h in happening[:cut])
    for version, (wait_us, what, seats, seat) in enumerate(happening[cut:], cut + 1):
        now += wait_us
        happen(clocks, version, now, (what, tuple(sorted(seats)), seat))
        told.append(msgspec.json.encode(clocks))
    assert told == play(made, happening)[1]


@given(controls(), happenings)
def test_the_time_on_the_clock_is_the_time_that_the_seat_owed_and_nothing_stood_still(made, happening):
    clocks, now, used = clock.begin(made, OnTimeout(), SEATS), 0, [0] * SEATS
    for version, (wait_us, what, seats, seat) in enumerate(happening, 1):
        for n, own in enumerate(clocks.seats):
            halts = [halt for halt in (clocks.pause, own.vacation) if halt is not None]
            begins = max([now, *(halt.until_us for halt in halts)])
            if own.owes and not clocks.stopped:
                used[n] += max(0, now + wait_us - begins)
        now += wait_us
        happen(clocks, version, now, (what, tuple(sorted(seats)), seat))
    assert [own.used_us for own in clocks.seats] == used


@given(controls(), happenings)
def test_at_its_deadline_a_seat_has_nothing_left_and_just_before_it_has(made, happening):
    clocks, _ = play(made, happening)
    for seat in range(SEATS):
        deadline = clock.deadline(clocks, seat)
        if deadline is None or deadline <= clocks.at_us:
            continue
        control = clocks.clock.control(seat)
        assert clock.left(control, at(clocks, deadline - 1).seats[seat]) == 1
        assert clock.left(control, at(clocks, deadline).seats[seat]) == 0
        assert clock.deadline(at(clocks, deadline + 5), seat) == deadline


@given(controls(), happenings)
def test_nothing_is_ever_less_than_nothing_and_budgets_are_kept(made, happening):
    clocks, _ = play(made, happening)
    assert 0 <= clocks.pause_us <= made.pause_s * SECOND
    for own in clocks.seats:
        assert min(own.bank_us, own.periods, own.over_us, own.spent_us, own.vacation_us) >= 0
        assert own.periods <= made.periods
        assert own.period_us < max(1, made.period_s * SECOND)
        assert own.over_us <= own.spent_us
