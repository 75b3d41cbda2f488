"""The calls, one module per resource. Each fetches for its caller, calls the same action as the page, and answers."""
