"""Knowledge of other players: party, trade, chat, watching, the ladder. Data, and functions of it."""
