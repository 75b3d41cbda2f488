"""Tools for development, tests and the demo. The product never imports them."""
