"""The base of the shapes of answers."""

from msgspec import Struct


class Shape(Struct, forbid_unknown_fields=True):
    """Base of all shapes: exactly these fields."""
