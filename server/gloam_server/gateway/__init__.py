"""The entry of clients: authentication, admission, resuming, chat, rejections.

Imports engine and what is below it.
"""
