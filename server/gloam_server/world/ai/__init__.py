"""The actions of monsters: the table of behaviors, hunting, looting, retreat, perception, movement.

May import actions and what lies below.
"""
