"""The projects that the server is shown: the demo, and the valid programs of this workspace."""

import os
import shutil
import subprocess
from pathlib import Path

from lsp import Document, Server, ServerError

PROJECT = Path(os.environ["COT_PROJECT"])
FOLDER = Path(os.environ["COT_EDITOR_DIR"])
DEMO = PROJECT / "tests/editor/demo.rs"
ENVIRONMENT = os.environ | {"CARGO_TARGET_DIR": str(FOLDER / "target"), "RA_LOG": "error"}

OPTIONS = {
    "cargo": {"sysrootSrc": os.environ["RUST_SRC"], "buildScripts": {"enable": True}},
    "procMacro": {"enable": True},
    "checkOnSave": False,
    "diagnostics": {"enable": True, "experimental": {"enable": True}},
    "completion": {"autoimport": {"enable": False}, "postfix": {"enable": False}},
}

MANIFEST = """\
[package]
name = "{name}"
version = "0.1.0"
edition = "2024"

[dependencies]
cot-core = {{ path = "{project}/cot-core", default-features = false{features} }}
schemars = {{ version = "1.2", default-features = false, features = ["derive", "std", "preserve_order"] }}
serde = {{ version = "1.0", features = ["derive", "rc"] }}
serde_json = "1"
{dependencies}
[workspace]
"""

# Besides those of the demo, what the examples use. The lock file has the versions.
EXAMPLE_FEATURES = ["agents", "openai", "progress", "testing"]
EXAMPLE_DEPENDENCIES = """\
axum = "*"
cot-sqlite = {{ path = "{project}/crates/cot-sqlite" }}
futures-util = "*"
reqwest = {{ version = "*", default-features = false }}
tokio = {{ version = "1", features = ["full"] }}
"""


def write_demo(name, text=None):
    """Writes a package with the text of the demo, or another, and returns its file."""
    folder = write_package(name, "", "")
    file = folder / "src/lib.rs"
    file.write_text(DEMO.read_text() if text is None else text)
    return file


def write_programs():
    """Writes a package with a copy of each valid program, and returns file and copy of each."""
    features = ", features = [" + ", ".join(f'"{it}"' for it in EXAMPLE_FEATURES) + "]"
    dependencies = EXAMPLE_DEPENDENCIES.format(project=PROJECT)
    folder = write_package("programs", features, dependencies)
    accepted = sorted(PROJECT.glob("tests/ui/accepted/**/*.rs"))
    examples = sorted(PROJECT.glob("examples/*.rs"))
    binaries = folder / "src/bin"
    shutil.rmtree(binaries, ignore_errors=True)
    binaries.mkdir()
    # The server does not tell a macro the file of a token: an `include` is looked up beside `src/lib.rs`.
    for folder_of_includes in [folder / "src", binaries]:
        for name in ["prompts", "data"]:
            source = PROJECT / "examples" / name
            shutil.copytree(source, folder_of_includes / name, dirs_exist_ok=True)
    programs = []
    for file in accepted + examples:
        name = file.relative_to(PROJECT)
        copy = binaries / "_".join(name.parts[-2:])
        shutil.copy(file, copy)
        programs.append((str(name), copy))
    return programs


def write_package(name, features, dependencies):
    folder = FOLDER / name
    (folder / "src").mkdir(parents=True, exist_ok=True)
    manifest = MANIFEST.format(
        name=name, project=PROJECT, features=features, dependencies=dependencies
    )
    (folder / "Cargo.toml").write_text(manifest)
    shutil.copy(PROJECT / "Cargo.lock", folder)
    return folder


def cargo_check(folder):
    """Returns what `cargo check` says of a package that it refuses, and nothing of a right one."""
    command = ["cargo", "check", "--quiet", "--offline"]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


class Session:
    """A server with one package loaded, to be used with `with`."""

    def __init__(self, file, folder):
        self.file, self.folder = file, folder

    def __enter__(self):
        print(f"loading {self.folder.name}", flush=True)
        program = os.environ["COT_RUST_ANALYZER"]
        log = FOLDER / f"{self.folder.name}.log"
        self.server = Server(program, self.folder, OPTIONS, ENVIRONMENT, log)
        try:
            document = Document(self.server, self.file)
            self.server.wait_until_quiescent()
            document.errors()
        except ServerError as error:
            self.server.stop()
            raise SystemExit(f"{error}; its messages are in {log}") from error
        return document

    def __exit__(self, *_):
        self.server.stop()


def demo_session():
    file = write_demo("demo")
    return Session(file, file.parent.parent)
