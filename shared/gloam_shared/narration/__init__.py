"""Makes English sentences from log lines: the templates, and the module that fills them in."""
