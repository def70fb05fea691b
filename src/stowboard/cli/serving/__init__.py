"""The processes of the service: servers, their supervisor, the worker, and what each needs before it starts."""
