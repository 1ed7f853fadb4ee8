"""Settings of the whole suite."""

from hypothesis import settings

settings.register_profile("project", deadline=None)  # a busy machine is no failure
settings.load_profile("project")
