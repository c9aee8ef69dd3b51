"""Agreement of two assessors, on labels given before either saw the other's (R53).

`table` counts; each further module holds one measure on those counts, with its source; `section`
puts them in order. No value is ever called good or poor: cut-points say nothing about a task.
"""
