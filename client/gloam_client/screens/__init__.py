"""The screens: each answers keys and draws itself; a stack of them is what the player sees. Pure."""
