"""What goes over the wire: the schemas of api.md and how rows become them."""
