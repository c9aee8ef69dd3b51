"""Comparing systems on the queries that both answered.

Each module holds one measure with its source; `section` puts them together for every declared
pair. Counts of hits stay whole numbers: floats would lose ties.
"""
