"""Figures of the report: what is drawn (`drawings`), how it looks (`style`), how (`draw`).

matplotlib speaks on stderr of its cache of fonts, as early as it is imported: nothing that a user
of this tool must act on. What it cannot do is an exception.
"""

import logging

logging.getLogger("matplotlib").setLevel(logging.ERROR)
