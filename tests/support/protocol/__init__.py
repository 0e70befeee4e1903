"""The wire: strategies for messages, the recorded conversation, and a check of everything that servers send."""
