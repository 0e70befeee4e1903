"""The screens: each answers keys and draws itself; the player sees a stack of them. Pure."""
