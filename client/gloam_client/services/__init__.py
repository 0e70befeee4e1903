"""The servers, worlds and processes that a client may use: all of this user's, or one server. Imports net, state and render."""
