"""The shape of a level: one module for each generator. Imports connectivity and drafts."""
