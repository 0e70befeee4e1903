"""The wire: strategies for messages, the recorded conversation, and a check of all that servers send."""
