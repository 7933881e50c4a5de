"""Bots as their users run them: real processes, fake chat platforms, a fake model."""
