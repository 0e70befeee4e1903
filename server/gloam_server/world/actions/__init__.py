"""What creatures do: `resolve` tells what a command comes to, `perform` does it. One module per family of verbs."""

from gloam_server.world.actions.dispatch import execute, guard_deed, plan, try_execute

__all__ = ["execute", "guard_deed", "plan", "try_execute"]
