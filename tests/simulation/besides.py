"""What players do besides playing: proposals, pauses, vacations, claims, and seats that others take over."""

from server.ports import timestamp
from tests.simulation.chance import SimClock, stream
from tests.simulation.front import Request

#: What comes into somebody's mind, as often as it is here; giving up together ends a game, so that it is rare.
WHIMS = ("pause", "pause", "pause", "vacation", "vacation", "claim", "claim", "offer", "offer", "offer", "abandon")

#: Who holds no seat, or has lost it, looks so often for one.
LOOKS_FOR_A_SEAT = 0.08


class Besides:
    """The whims of one player."""

    def __init__(self, world, player, number):
        self._world = world
        self._player = player
        self._chance = stream(world.options.seed, "besides", number)
        self._often = world.options.together

    def is_asked(self, seat, seen):
        """Whether a proposal waits for this seat's voice, or everybody for somebody who wants to go on."""
        proposal = seen["proposal"]
        return seat in proposal["asked"] if proposal is not None else _paused(seen)

    async def at_table(self, game, seat, seen):
        """Perhaps do something of this at a table; whether it was done."""
        wish = self._wish(seat, seen)
        if wish is None:
            return False
        do, of, body = wish
        await self._player.submit(Request(do=do, token=self._player.token, game=game, of=of, body=body))
        return True

    def _wish(self, seat, seen):
        """A command, the proposal that it names, and its body; or None."""
        chance, proposal = self._chance, seen["proposal"]
        if proposal is not None and seat in proposal["asked"] and chance.random() < 0.7:
            return "vote", proposal["id"], {"accept": chance.random() < 0.75, "seat": seat}
        if proposal is not None and seat == proposal["seat"] and chance.random() < 0.1:
            return "withdraw_proposal", proposal["id"], {}
        if _paused(seen) and proposal is None and chance.random() < 0.4:
            return "propose", "", {"what": "resume", "seat": seat}
        late = self._late(seat, seen["clocks"])
        if late and chance.random() < 0.2:
            return "claim", "", {"seat": seat, "of": late[0]}
        if chance.random() < self._often:
            return self._whim(seat, seen["clocks"])
        return None

    def _late(self, seat, clocks):
        """The other seats for which nothing is done until somebody says that they are out of time."""
        if clocks is None or clocks["on_timeout"] != "remind" or not self._often:
            return []
        now = timestamp(SimClock(self._world.loop).now())
        others = [one for one in clocks["seats"] if one is not None and one["seat"] != seat]
        return [one["seat"] for one in others if one["deadline"] is not None and one["deadline"] < now]

    def _whim(self, seat, clocks):
        chance = self._chance
        match chance.choice(WHIMS):
            case "vacation":
                away = clocks is not None and clocks["seats"][seat] is not None and clocks["seats"][seat]["vacation"]
                return "vacation", "", {"seat": seat, "back": bool(away)}
            case "claim":
                return "claim", "", {"seat": seat, "of": chance.randrange(3)}
            case "offer":
                to = chance.choice((None, None, chance.choice(self._world.players).id))
                return "offer", "", {"seat": seat if chance.random() < 0.9 else chance.randrange(3), "to": to}
            case what:
                return "propose", "", {"what": what, "seat": seat}

    async def sit_down(self):
        """Perhaps take a seat over: one that is offered, or one's own again."""
        if not self._often or self._chance.random() >= LOOKS_FOR_A_SEAT:
            return
        player, offered = self._player, self._world.offered
        meant = [at for at, to in offered.items() if at[0] not in player.seats and to in ("", player.id)]
        own = [(game, player.seats[game]) for game in sorted(player.left)]
        wanted = list(offered) if self._chance.random() < 0.1 else meant + own
        if wanted:
            game, seat = self._chance.choice(wanted)
            reply = await player.submit(Request(do="take_over", token=player.token, game=game, body={"seat": seat}))
            if not reply.code:
                player.sit(game, seat)


def _paused(seen):
    return seen["clocks"] is not None and seen["clocks"]["paused"] is not None
