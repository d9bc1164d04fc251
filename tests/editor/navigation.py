"""Hover, definitions and renames."""

from cases import (
    COMPILED,
    DEFINITIONS,
    HOVER_LIMIT,
    HOVERS,
    KNOWN_EDITS,
    NOT_RENAMED,
    RENAMED,
    SEVERAL_TARGETS,
)
from lsp import ServerError
from projects import cargo_check, write_demo
from text import find, process_range, process_words

NEW_NAME = "renamed_by_check"


def check(document, report):
    check_hovers(document, report)
    check_length_of_hovers(document, report)
    check_definitions(document, report)
    check_number_of_definitions(document, report)
    check_renames_of_tasks(document, report)
    check_renames_of_code(document, report)
    check_refused_renames(document, report)
    check_all_renames(document, report)
    check_renamed_programs(document, report)


def check_hovers(document, report):
    misses = []
    for place, wanted in HOVERS.items():
        shown = document.hover(find(document.text, place))
        if wanted not in shown:
            misses.append(f"`{place}` shows {shown[:200]!r}, not {wanted!r}")
    report.target("hovers", len(HOVERS), len(HOVERS) - len(misses), misses)


def check_length_of_hovers(document, report):
    words = process_words(document.text)
    lengths = [(len(document.hover(word.start)), word.text) for word in words]
    longest, word = max(lengths)
    misses = [f"{length} over `{text}`" for length, text in lengths if length > HOVER_LIMIT]
    wanted = f"at most {HOVER_LIMIT}"
    report.target("characters of a hover", wanted, f"{longest} over `{word}`", misses)
    empty = sorted({text for length, text in lengths if not length})
    report.note("words without a hover", ", ".join(empty) or "none")


def check_definitions(document, report):
    misses = []
    for place, wanted in DEFINITIONS.items():
        shown = document.definitions(find(document.text, place))
        if len(shown) != 1 or not leads_to(document, shown[0], wanted):
            misses.append(f"`{place}` leads to {shown}, not to `{wanted}`")
    report.target("definitions", len(DEFINITIONS), len(DEFINITIONS) - len(misses), misses)


def leads_to(document, target, wanted):
    uri, line, character = target
    if "$0" not in wanted:
        return uri.endswith(f"/{wanted}")
    place = document.position(find(document.text, wanted))
    return uri == document.uri and (line, character) == (place["line"], place["character"])


def check_number_of_definitions(document, report):
    """One target for each word, more for those that are listed."""
    text, misses, known = document.text, [], 0
    outside = [find(text, place) for place in SEVERAL_TARGETS if "$0" in place]
    words = [word for word in process_words(text) if not is_keyword(word.text)]
    places = [(at, "") for at in outside] + [(word.start, word.text) for word in words]
    for offset, word in places:
        number = len(document.definitions(offset))
        is_known = offset in outside or word in SEVERAL_TARGETS
        known += is_known and number > 1
        if number == 0 or (number > 1 and not is_known):
            misses.append(f"{number} targets in {line_at(text, offset)}")
    alone = len(places) - known - len(misses)
    measured = f"{alone} of {len(places)}, {known} known with more"
    report.target("words with one definition", "all but those known", measured, misses)


def is_keyword(word):
    """Whether a word of Rust has no definition."""
    return word in {"if", "pub"}


def check_renames_of_tasks(document, report):
    """A task is renamed at all of its places, whichever of them is at the cursor."""
    words = process_words(document.text)
    names = {after.text for word, after in zip(words, words[1:]) if word.text == "task"}
    places = [word for word in words if word.text in names]
    misses = []
    for place in places:
        wanted = [word.start for word in words if word.text == place.text]
        misses += compare_rename(document, place.start, wanted)
    done = len(places) - len(misses)
    report.target("renames of tasks", len(places), done, misses)


def check_renames_of_code(document, report):
    """A field, a function or a type is renamed at its uses in the process, from there and from outside."""
    text, misses, number = document.text, [], 0
    for declaration in RENAMED:
        name = declaration.split("$0")[1].split()[0].split(":")[0]
        wanted = [word.start for word in process_words(text) if word.text == name]
        for offset in [find(text, declaration), *wanted]:
            number += 1
            misses += compare_rename(document, offset, wanted)
    report.target("renames of fields, functions, types", number, number - len(misses), misses)


def compare_rename(document, offset, wanted):
    """Compares the edits in the process with the offsets that are wanted."""
    where = line_at(document.text, offset)
    try:
        edits = document.rename(offset, NEW_NAME)
    except ServerError as error:
        return [f"{where}: {error}"]
    start, end = process_range(document.text)
    edited = [document.offset(edit["range"]["start"]) for edit in edits.get(document.uri, [])]
    inside = sorted(offset for offset in edited if start <= offset < end)
    return [] if inside == sorted(wanted) else [f"{where}: edits at {inside}, not at {wanted}"]


def check_refused_renames(document, report):
    misses = []
    for place in NOT_RENAMED:
        try:
            edits = document.rename(find(document.text, place), NEW_NAME)
            misses.append(f"`{place}` gives {edits}")
        except ServerError:
            pass
    report.target("refused renames", len(NOT_RENAMED), len(NOT_RENAMED) - len(misses), misses)


def check_all_renames(document, report):
    """No rename, from any word, edits another file or more than the word."""
    misses, number, known = [], 0, 0
    for word in process_words(document.text):
        try:
            edits = document.rename(word.start, NEW_NAME)
        except ServerError:
            continue
        number += 1
        foreign = set(edits) - {document.uri}
        unknown = {uri for uri in foreign if not uri.endswith(tuple(KNOWN_EDITS))}
        known += bool(foreign) and not unknown
        changed = {replaced(document, edit) for edit in edits.get(document.uri, [])}
        if unknown or changed - {word.text}:
            misses.append(f"{line_at(document.text, word.start)}: {changed} {unknown}")
    measured = f"{len(misses)} of {number}, and {known} known"
    report.target("renames that edit anything else", 0, measured, misses)


def replaced(document, edit):
    start, end = (document.offset(edit["range"][side]) for side in ("start", "end"))
    return document.text[start:end]


def check_renamed_programs(document, report):
    misses = []
    for place in COMPILED:
        edits = document.rename(find(document.text, place), "Renamed" if "struct" in place else NEW_NAME)
        file = write_demo("renamed", apply(document, edits[document.uri]))
        errors = cargo_check(file.parent.parent)
        if errors:
            misses.append(f"`{place}`: {errors[:2000]}")
    report.target("renamed programs compile", len(COMPILED), len(COMPILED) - len(misses), misses)


def apply(document, edits):
    text = document.text
    for edit in sorted(edits, key=lambda edit: -document.offset(edit["range"]["start"])):
        start, end = (document.offset(edit["range"][side]) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


def line_at(text, offset):
    start = text.rfind("\n", 0, offset) + 1
    line = text[start : text.index("\n", offset)].strip()
    return f"{text.count(chr(10), 0, offset) + 1}:{offset - start + 1} `{line}`"
