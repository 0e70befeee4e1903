"""The state machines: apply, turns, turn groups, the dungeon, routing, serialization. Imports all other folders of world."""
