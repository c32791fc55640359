"""Two positions that one reader cannot tell apart, and acts on both that look the same to it."""

import msgspec
from msgspec import Struct

from games.dice import Dice, game_key
from games.kernel import Setting, decide, encode, legal, pending, redact, start, start_at
from projections.views import message_of, view_of
from server.catalogue import setting

#: What a sandbox game makes of `"seed": SEED` (server/creating.py); both games have it, so that dice fall alike.
SEED = "twins"


class Move(Struct, frozen=True):
    """An act of a seat: one in each of the two games."""

    seat: int
    actions: tuple[object, object]


class Twins:
    """A position and one dealt anew behind the reader's back, played on side by side."""

    def __init__(self, entry, reader, seed, random):
        self.entry = entry
        self.rules = entry.rules
        self.reader = reader
        self.random = random
        self.setting: Setting = setting(entry, 3, {}, None)
        state = self._played(seed)
        twin = self.rules.resample(state, reader, Dice(b"twin" + bytes([seed])))
        self.positions = [self.rules.position.dump(one) for one in (state, twin)]
        self._states, self._dice = [], []

    @property
    def differ(self):
        """Whether anything is hidden that could be otherwise."""
        return encode(self.positions[0]) != encode(self.positions[1])

    def _played(self, seed):
        """A position after some random acts."""
        dice = Dice(bytes([seed]) * 32)
        state = self.rules.initial(self.setting)
        start(self.rules, state, self.setting, dice)
        for _ in range(self.random.randrange(2 + 8 * seed)):
            seat = self.random.choice(pending(state).seats)
            following = self.rules.copy(state)
            decide(self.rules, following, seat, self.random.choice(legal(self.rules, state, seat)), dice)
            if following.outcome is not None:
                break
            state = following
        return state

    def begin(self, seed):
        """Both games as the server starts them."""
        for position in self.positions:
            state = self.rules.initial(self.setting)
            loaded = self.rules.position.load(plain(position), self.setting, "new")
            dice = Dice(game_key(seed, [b""] * 3))
            start_at(self.rules, state, loaded, dice)
            self._states.append(state)
            self._dice.append(dice)

    def guesses(self, most):
        """Actions to ask about: those that any seat could take in the first game."""
        found = {}
        for seat in range(3):
            step = pending(self._states[0])
            if step is not None and seat in (*step.seats, *step.also):
                for action in legal(self.rules, self._states[0], seat):
                    found[encode(action)] = plain(action)
        chosen = sorted(found)
        self.random.shuffle(chosen)
        return [found[one] for one in chosen[:most]]

    def moves(self, most):
        """Acts, one after the other, by which the reader learns nothing that differs; unlike ones where there are."""
        made = []
        while len(made) < most:
            move = self._move()
            if move is None:
                break
            made.append(move)
        return made

    def _move(self):
        steps = [pending(state) for state in self._states]
        if None in steps or steps[0].seats != steps[1].seats:
            return None
        for seat in self.random.sample(steps[0].seats, len(steps[0].seats)):
            options = [legal(self.rules, state, seat) for state in self._states]
            pairs = [(self.random.choice(options[0]), self.random.choice(options[1])) for _ in range(60)]
            if seat == self.reader:
                pairs = [(one, one) for one, _ in pairs]
            for pair in sorted(pairs, key=lambda pair: encode(pair[0]) == encode(pair[1])):
                if self._shown(pair[0], seat) == self._shown(pair[1], seat) and self._carry_out(seat, pair):
                    return Move(seat, (plain(pair[0]), plain(pair[1])))
        return None

    def _shown(self, action, seat):
        return redact(action, self.reader, seat)

    def _carry_out(self, seat, pair):
        """Do both, if the reader is shown the same of them."""
        told, following, rolled = [], [], []
        for state, dice, action in zip(self._states, self._dice, pair, strict=True):
            after, drawn = self.rules.copy(state), Dice(dice.key, dice.draws)
            if action not in legal(self.rules, state, seat):
                return False
            decided = decide(self.rules, after, seat, action, drawn)
            shown = [message_of(effect, self.reader) for effect in decided.effects]
            told.append((encode(shown), encode(view_of(self.rules, after, self.reader)), drawn.draws, after.outcome))
            following.append(after)
            rolled.append(drawn)
        if told[0] != told[1] or told[0][3] is not None:
            return False
        self._states, self._dice = following, rolled
        return True


def plain(told):
    """As JSON has it."""
    return msgspec.json.decode(encode(told))
