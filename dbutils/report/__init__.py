"""Show it: tables, figures and maps as labelled MyST with alt texts, for terminal, notebook and book."""
