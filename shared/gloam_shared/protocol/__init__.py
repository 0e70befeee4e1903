"""The wire: messages, codec, framing, codes, phases, updates, schema. Imports view and narration."""
