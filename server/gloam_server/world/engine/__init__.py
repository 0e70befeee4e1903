"""The state machines: apply, turns, turn groups, the dungeon, the realm, serialization. Imports all other folders of world."""
