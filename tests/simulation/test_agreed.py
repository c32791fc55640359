"""The checker of agreements and seats: it takes what was agreed to, and nothing else."""

from types import SimpleNamespace

import pytest

from games.kernel import encode
from tests.simulation.agreed import Unfounded, check_agreements


def log(*told):
    """Events of a table of ann, bob and cat: (kind, seat of the header, details)."""
    joined = [("joined", None, {"seat": n, "player": name}) for n, name in enumerate(("ann", "bob", "cat"))]
    return [
        SimpleNamespace(
            header=SimpleNamespace(kind=kind, seat=seat, version=version, game="game"), details=encode(details)
        )
        for version, (kind, seat, details) in enumerate((*joined, *told), 1)
    ]


def proposed(what="pause", own=(0,), asked=(1, 2), needed=3):
    return "proposed", 0, {"id": "p", "what": what, "own": own, "asked": asked, "needed": needed}


def voice(seat, *, accept=True):
    return "proposal_answered", seat, {"id": "p", "accept": accept}


def sits(player, former, why="offered", seat=1):
    return "replaced", seat, {"seat": seat, "player": player, "former": former, "why": why}


PAUSED = ("paused", None, {"proposal": "p"})
RESUMED = ("resumed", None, {"used_up": True})
OFFERED = ("seat_offered", 1, {"seat": 1})
ACTED = ("acted", 0, {})
ASKED = ("undo_requested", 0, {"id": "u", "to": 3})
GRANTED = ("rewound", 0, {"to": 3, "request": "u"})

SOUND = {
    "a pause": (proposed(), voice(1), voice(2), PAUSED, RESUMED, ACTED),
    "a rewind that all agreed to, in a pause": (proposed(), ASKED, voice(1), voice(2), PAUSED, GRANTED),
    "somebody is against it": (proposed(), voice(1, accept=False), ACTED, proposed()),
    "taken back": (proposed(), ("proposal_withdrawn", 0, {"id": "p"}), proposed()),
    "given up by most": (proposed("abandon", needed=2), voice(2), ("ended", None, {})),
    "a substitute": (OFFERED, sits("dan", "bob")),
    "back for a bot": (sits("bot:random", "bob", "expired"), sits("bob", "bot:random", "returned")),
}
UNFOUNDED = {
    "a pause that nobody proposed": (PAUSED,),
    "a pause without a voice": (proposed(), voice(1), PAUSED),
    "a voice that is not asked": (proposed(), voice(0)),
    "a voice twice": (proposed(), voice(1), voice(1)),
    "two proposals": (proposed(), proposed()),
    "something before what was agreed to": (proposed(), voice(1), voice(2), ACTED),
    "an act in a pause": (proposed(), voice(1), voice(2), PAUSED, ACTED),
    "a rewind without consent in a pause": (proposed(), voice(1), voice(2), PAUSED, ("rewound", 0, {"to": 3})),
    "one's own seats are another's": (proposed(own=(0, 1), asked=(2,)),),
    "a seat that was not offered": (sits("dan", "bob"),),
    "a seat that was offered to another player": (("seat_offered", 1, {"seat": 1, "to": "eve"}), sits("dan", "bob")),
    "an offer that was taken already": (OFFERED, sits("dan", "bob"), sits("eve", "dan")),
    "who has another seat": (OFFERED, sits("cat", "bob")),
    "who had the seat": (OFFERED, sits("dan", "bob"), OFFERED, sits("bob", "dan")),
    "back without having been there": (sits("bot:random", "bob", "expired"), sits("dan", "bot:random", "returned")),
    "somebody else sat there": (OFFERED, sits("dan", "cat")),
}


@pytest.mark.parametrize("events", SOUND.values(), ids=SOUND)
def test_what_was_agreed_to_is_taken(events):
    check_agreements(log(*events))


@pytest.mark.parametrize("events", UNFOUNDED.values(), ids=UNFOUNDED)
def test_what_was_not_is_found(events):
    check_agreements(log(*events[:-1]))
    with pytest.raises(Unfounded):
        check_agreements(log(*events))
