"""A door: it hosts clients for visitors without an installation. It imports the client and the shared package."""
