"""Campaigns: the shipped files with small changes, and small campaigns for behaviors, magic and generators."""
