"""Makes English sentences from log lines, by the templates of `event_kinds`."""
