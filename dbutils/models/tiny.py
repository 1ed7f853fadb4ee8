"""A tiny encoder made on the spot: BERT's architecture from a configuration, tokenizer learnt from texts."""

RECIPE = {"layers": 2, "hidden": 96, "heads": 4, "feed_forward": 192, "vocabulary": 1200, "positions": 512}
