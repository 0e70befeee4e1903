"""What no single value of a campaign can tell: references, and numbers that fit together."""
