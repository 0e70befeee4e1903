"""The simulation in virtual time: server, network, disk, clients, faults, and the checks of every frame."""
