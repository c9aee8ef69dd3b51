"""What the person sees: the label screen, and the few screens that open over it."""
