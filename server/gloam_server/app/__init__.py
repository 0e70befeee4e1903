"""The composition root: configuration, engine, gateway. The only place that knows all the others."""
