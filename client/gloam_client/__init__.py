"""The Gloam client: a thin terminal program that sends commands and draws views."""
