"""JSON Patch as a client applies it (RFC 6902: add, remove, replace), written anew for the checkers."""


def patched(document, patch):
    """The document after the patch; what has changed in it is made anew, and nothing is changed in place."""
    for step in patch:
        path = [part.replace("~1", "/").replace("~0", "~") for part in step["path"].split("/")[1:]]
        document = _changed(document, path, step) if path else step["value"]
    return document


def _changed(document, path, step):
    first, *rest = path
    if isinstance(document, list):
        return _changed_list(document, first, rest, step)
    changed = dict(document)
    if rest:
        changed[first] = _changed(document[first], rest, step)
    elif step["op"] == "remove":
        del changed[first]
    else:
        if step["op"] == "replace" and first not in document:
            raise KeyError(first)
        changed[first] = step["value"]
    return changed


def _changed_list(document, first, rest, step):
    changed, at = list(document), len(document) if first == "-" else int(first)
    if rest:
        changed[at] = _changed(document[at], rest, step)
    elif step["op"] == "add":
        changed.insert(at, step["value"])
    elif step["op"] == "remove":
        del changed[at]
    else:
        changed[at] = step["value"]
    return changed
