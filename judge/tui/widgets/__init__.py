"""How text gets onto the screen: wrapped here, drawn as plain segments, never as markup."""
