"""What effects tell to whom: undo consent and the `assisted` mark rest on it."""

from games.kernel.messages import EVERYONE, OTHERS, Effect


def learns(effect: Effect, seat: int) -> bool:
    """Whether `seat` learns something new by this effect (a die, a draw, a reveal), as its class declares."""
    if effect.tells == EVERYONE:
        return True
    if effect.tells == OTHERS:
        return bool(effect.seat != seat)  # type: ignore[attr-defined] # checked when the ruleset is made
    for name in effect.tells:
        value = getattr(effect, name)
        if seat == value or (isinstance(value, tuple) and seat in value):
            return True
    return False
