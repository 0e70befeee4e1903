"""Connected regions, the stairs between levels, and the repair of unreachable regions. Imports drafts."""
