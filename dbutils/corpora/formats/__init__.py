"""One module per file format: from a file to rows or records, no corpus known by name."""
