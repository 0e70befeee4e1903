"""Rules as played: a level from an ASCII map, with verbs for its creatures."""
