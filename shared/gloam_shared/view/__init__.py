"""What one player may know, and the patches between two views."""
