"""One function per command: reads the study, applies the stages' rules, writes the ledger.

No rule lives here and nothing is printed: the command line parses, calls a step and prints; the
worked study and the tests call the same steps.
"""
