"""The command line of gloam-server. Imports everything."""
