"""The parts of the server's work, each alone in one process: applying, showing, writing, seeing, making levels."""
