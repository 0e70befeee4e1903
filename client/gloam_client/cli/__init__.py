"""The start from the command line, `gloam doctor`, and mistakes in one sentence. Imports everything."""
