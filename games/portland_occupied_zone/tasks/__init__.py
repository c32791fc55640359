"""Steps that rules push from many places, and arson with them: what `ops/`, `steps/` and `actions/` build on."""
