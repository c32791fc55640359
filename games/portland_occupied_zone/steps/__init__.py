"""Steps that do something by themselves; `all_steps.py` lists them all, with the plain decisions of `frames.py`."""
