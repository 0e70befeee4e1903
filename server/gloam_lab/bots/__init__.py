"""Bots: players in code. They send the real commands and know only their view."""

from gloam_lab.bots.adventurer import Adventurer
from gloam_lab.bots.style import OWN_MEANS, Style, draw_kit, draw_style, style_of_bent
from gloam_lab.bots.walker import Walker

__all__ = ["OWN_MEANS", "Adventurer", "Style", "Walker", "draw_kit", "draw_style", "style_of_bent"]
