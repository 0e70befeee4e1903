"""Tables of growth: what levels bring to creatures, and what named creatures leave. Imports the rest of content."""
