"""The knowledge of one player, and the patches between two views."""
