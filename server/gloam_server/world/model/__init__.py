"""Levels and creatures as data, and what goes in and out: inputs, events, outputs. Imports generation, rules and content."""
