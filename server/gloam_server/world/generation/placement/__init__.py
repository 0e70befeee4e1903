"""Which creatures and items a level gets, and on which cells. Imports drafts."""
