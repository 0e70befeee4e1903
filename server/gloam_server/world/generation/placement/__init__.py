"""The creatures and items of a level, and their cells. Imports drafts."""
