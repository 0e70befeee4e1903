"""The login: admission, authentication, passwords, invites, bans, the queue. May import what `gateway` may."""
