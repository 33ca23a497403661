"""The cases of test-vectors/, as Python: `scripts/make-vectors.py` writes the JSON files from them."""
