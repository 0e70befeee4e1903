"""The messages, one module a feature, with both directions; `registry` lists them. Imports commands and gloam_shared.view."""
