"""The contents of documents, read by tests: rules and abuses with their tests, and tables made from the code."""
