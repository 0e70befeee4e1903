"""How clients come in: authentication, admission, resuming, chat, rejections. Imports engine and what is below it."""
