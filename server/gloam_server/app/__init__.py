"""The composition root: configuration, beats, services. The only place that knows all the others."""
