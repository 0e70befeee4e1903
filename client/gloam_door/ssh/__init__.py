"""The door for ssh: server, session, host key. The one package that imports asyncssh."""
