#!/usr/bin/env bash
# Builds the book and the documentation of the code into target/book: bash book/build.sh
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=0.5.4
tools=target/tools

if [[ $("$tools/bin/mdbook" --version 2>/dev/null || true) != "mdbook v$version" ]]; then
    cargo install mdbook --version "$version" --locked --root "$tools"
fi
cargo doc -p cot-core --all-features --no-deps
"$tools/bin/mdbook" build book
cp -r target/doc target/book/api
cp -r cot-core/docs/images target/book/images
