"""What `tests/crash` kills and how: the moments, the bots that play meanwhile, and the auditor of what is left."""
