"""Knowledge of the map: remembered items, landmarks, sightings, pings, reachable cells; one module reads and writes files."""
