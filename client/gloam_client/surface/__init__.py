"""Surfaces: what shows a model and brings its player's input. Imports render, linear and terminal."""
