"""Targets and means of `tests/crash`: the moments, the bots that play meanwhile, and the auditor of what is left."""
