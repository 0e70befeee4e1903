"""Helpers that tests share, one package a subject; README.md says what each module is for."""
