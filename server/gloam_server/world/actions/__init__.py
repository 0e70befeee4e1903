"""What creatures do: `resolve` tells what a command comes to, `perform` does it. One module per family of verbs."""

from gloam_server.world.actions.dispatch import attempt, guard, perform, resolve

__all__ = ["attempt", "guard", "perform", "resolve"]
