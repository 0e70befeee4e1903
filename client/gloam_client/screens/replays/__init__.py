"""The screens of replays: the list, and the one that plays. They may import the other screens and what is below them."""
