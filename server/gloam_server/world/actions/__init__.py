"""The actions of creatures: one class a verb, which plans its command and executes it. One module a family of verbs."""

from gloam_server.world.actions.registry import execute, plan, plan_guard, try_execute

__all__ = ["execute", "plan", "plan_guard", "try_execute"]
