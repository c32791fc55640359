"""A text in the effect language at work, op by op; decisions may fall between two (specification, 2.7)."""

from msgspec import structs

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.frames import Pick, PickHandCard
from games.portland_occupied_zone.language import Call, parse
from games.portland_occupied_zone.modifiers import holds
from games.portland_occupied_zone.ops.acting import Acting
from games.portland_occupied_zone.ops.doing import do
from games.portland_occupied_zone.ops.picks import hand_kinds, things
from games.portland_occupied_zone.state import Space, State

REMOVE_CAMERA = parse("camera(remove)")[0]


class Ops(Step, frozen=True):
    """The ops of a text from number `at` on; `me` acts, `bound` has what was picked.

    `drug` is the card whose stability wears off; `food`: it is eaten; `asked`: the seat that picks, if not the own.
    """

    text: Public[str]
    me: Public[str]
    at: Public[int] = 0
    bound: Public[dict[str, Space]] = {}
    drug: Public[str | None] = None
    food: Public[bool] = False
    asked: Public[int | None] = None

    def run(self, table: Table[State]) -> None:
        """Do the next op, or ask what it is for; the rest lies beneath."""
        calls = parse(self.text)
        if self.at >= len(calls):
            return
        call, rest = calls[self.at], structs.replace(self, at=self.at + 1)
        target = self.bound.get("target")
        if not holds(table.state, self.me, call, target if isinstance(target, str) else None):
            if call.name != "pick":  # a text goes on without what does not apply, but not without its target
                table.push(rest)
        elif call.name == "pick":
            self._ask(table, call, rest)
        elif call == REMOVE_CAMERA and "camera" not in self.bound:
            self._ask(table, Call("pick", ("camera",)), self)
        else:
            if rest.at < len(calls) or call.name == "swap":  # a swap tells the text how many cards it was
                table.push(rest)
            do(table, Acting(self.me, self.bound, self.drug, self.food), call)

    def _ask(self, table: Table[State], call: Call, rest: "Ops") -> None:
        state, kind = table.state, call.word(0)
        seats = (state.seat_of(self.me) if self.asked is None else self.asked,)
        if kind == "card":
            wanted = call.named.get("filter")
            if hand_kinds(state, self.me, wanted):
                table.push(PickHandCard(seats=seats, pc=self.me, filter=str(wanted) if wanted else None), rest)
            return
        found = things(state, self.me, call)
        if found:
            table.push(Pick(seats=seats, kind=kind, things=found), rest)
