"""Native errors of the server in programs that compile."""

from cases import KNOWN_ERRORS
from lsp import Document


def check_demo(document, report):
    errors = [describe(error) for error in document.errors()]
    report.target("errors in the demo", 0, len(errors), errors)


def check_programs(first, programs, report):
    """Checks all programs of a package, of which the `first` is open."""
    server, misses, known = first.server, [], 0
    first.close()
    for name, file in programs:
        document = Document(server, file)
        errors = document.errors()
        document.close()
        code, reason = KNOWN_ERRORS.get(name, ("", ""))
        unknown = [error for error in errors if str(error.get("code")) != code]
        known += len(errors) - len(unknown)
        misses += [f"{name}:{describe(error)}" for error in unknown]
        if reason and not errors:
            print(f"no errors any more in {name}: {reason}")
    measured = f"{len(misses)}, and {known} known ones"
    report.target(f"errors in {len(programs)} valid programs", 0, measured, misses)


def describe(error):
    start = error["range"]["start"]
    message = error["message"].split("\n")[0]
    return f"{start['line'] + 1}:{start['character'] + 1} {error.get('code')} {message}"
