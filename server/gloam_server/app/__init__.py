"""The composition root: configuration, engine, gateway. The only package that knows all others."""
