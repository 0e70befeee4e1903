"""What tests share: scenarios on ASCII maps, a whole server under a manual clock, fake clients, real processes."""
