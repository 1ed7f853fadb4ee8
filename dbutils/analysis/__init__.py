"""So what? Gaps, utilities, maxima, tables of the paper and the audit of its print, all from score rows."""
