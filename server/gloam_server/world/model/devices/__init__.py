"""The devices of a level: plates, levers, gates and the like. They may import what the other modules of the model import."""
