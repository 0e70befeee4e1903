"""The lessons that a player can learn from the end of a life: one sentence for each cause.

Data only; `views` chooses.
"""

from typing import Final

LESSONS: Final[dict[str, str]] = {
    "starvation": "Eat when you are hungry, and go down when the food runs out: deeper levels have more.",
    "choking": "Do not eat when you are full: what your stomach cannot hold kills.",
    "overeating": "Do not eat when you are full: what your stomach cannot hold kills.",
    "cowardice": "The way out is for those who carry the prize: go down again without it.",
    "healing": "You carried what heals. Use it at half of your health, not at the last blow.",
    "escape": "You carried a way out. Use it while you can still choose to.",
    "unknown": "You carried magic that you never tried. Try it in a fight that you can win, before one that you cannot.",
    "player": "Another player killed you. A duel needs your word: do not agree to one that you cannot win.",
    "named": "What has a name has killed before. Look at it before you fight it, and leave it if it is stronger.",
    "stronger": "It was several levels above you. Look at what you meet, and leave what is deadly.",
    "shot": "Most of your health went by shots. Step out of their sight, behind a corner, and strike what follows you there.",
    "surrounded": "Several hurt you at once. Step back into a corridor, where one at a time can reach you.",
    "magic": "Magic killed you. Break its line of sight: step around a corner, and let it come to you.",
    "slow": "What works slowly killed you. Rest it off before the next fight, or carry what cures it.",
    "sudden": "Most of your health went in two turns. Leave a fight while one more such turn is not the last.",
    "unarmed": "You fought with bare hands. Pick up and wield a weapon before you go down.",
    "default": "Leave a fight at half of your health: stairs, corridors and doors are on your side.",
}
"""The sentences by the cause of the end; a campaign may have its own for each, and for kinds of creatures."""
