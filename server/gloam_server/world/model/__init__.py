"""Levels and creatures as data, with their inputs, events and outputs.

Imports generation, rules and content.
"""
