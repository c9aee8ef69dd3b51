"""blindjudge: a precision-first, blind human judging toolkit for biomedical search."""

__version__ = "0.1.0"
