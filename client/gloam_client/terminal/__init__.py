"""The canvas, its differences as escape sequences, and the one module that talks to blessed. Imports input."""
