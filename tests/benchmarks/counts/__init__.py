"""Counts of Python calls in fixed workloads: a measure of work that a busy machine does not change."""
