"""The actions of monsters: the table of behaviors, hunting, looting, retreat, perception, movement.

A kind of creature names its tasks in order. Each task is one function that issues commands or does nothing, so a monster
can do nothing that a player cannot, and passes the same checks. May import actions and what lies below.
"""
