"""From where? The catalogue of corpora, how they are got and checked, and what their readers yield.

`catalogue` knows every corpus, `store` where its files lie, `download` fetches and `verify` checks
them, `formats` reads each file format, `readers` binds the formats to the corpora, `load.examples`
is the one way in, `stats` counts.
"""
