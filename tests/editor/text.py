"""Places in the text of the demo."""

import re

CURSOR = "$0"

# A lifetime is no token of the demo. A duration such as `10m` is one.
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*)|(?P<literal>"(?:\\.|[^"\\])*"|\d\w*)|(?P<word>[A-Za-z_]\w*)"""
    r"""|(?P<sign>->|=>|[^\w\s])""",
    re.DOTALL,
)
DELIMITERS = set("(){}[]")


class Token:
    """A token with its offset."""

    def __init__(self, match):
        self.text, self.start, self.end = match.group(), match.start(), match.end()
        self.kind = match.lastgroup

    def is_delimiter(self):
        return self.text in DELIMITERS


def process_range(text):
    """Returns where the body of the process begins and ends, from `cot_process!` to its brace."""
    start = text.index("cot_process! {")
    return start, text.index("\n}\n", start) + 2


def process_tokens(text):
    """Returns the tokens between the braces of the macro, without comments."""
    start, end = process_range(text)
    matches = TOKEN.finditer(text, start + len("cot_process! {"), end - 1)
    return [Token(match) for match in matches if match.lastgroup != "comment"]


def process_words(text):
    return [token for token in process_tokens(text) if token.kind == "word"]


def find(text, place):
    """Returns the offset of the cursor in a place such as `next: $0review`."""
    before, after = place.split(CURSOR)
    if text.count(before + after) == 0:
        raise ValueError(f"the demo has no `{place}`")
    return text.index(before + after) + len(before)


def replace(text, old, new):
    """Replaces the first occurrence, and returns the text and the offset of the cursor in it, if any."""
    start = text.index(old)
    cursor = new.find(CURSOR)
    changed = text[:start] + new.replace(CURSOR, "") + text[start + len(old) :]
    return changed, start + cursor if cursor >= 0 else None
