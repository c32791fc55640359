"""JSON Patch as a client applies it (RFC 6902: add, remove, replace), written anew for the checkers."""

from copy import deepcopy


def patched(document, patch):
    """The document after the patch."""
    whole = {"": deepcopy(document)}
    for step in patch:
        *path, last = [part.replace("~1", "/").replace("~0", "~") for part in step["path"].split("/")]
        holder = whole
        for part in path:
            holder = holder[int(part) if isinstance(holder, list) else part]
        if isinstance(holder, list):
            _change_list(holder, last, step)
        elif step["op"] == "remove":
            del holder[last]
        else:
            if step["op"] == "replace" and last not in holder:
                raise KeyError(last)
            holder[last] = step["value"]
    return whole[""]


def _change_list(holder, last, step):
    at = len(holder) if last == "-" else int(last)
    if step["op"] == "add":
        holder.insert(at, step["value"])
    elif step["op"] == "remove":
        del holder[at]
    else:
        holder[at] = step["value"]
