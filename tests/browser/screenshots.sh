#!/usr/bin/env bash
# Makes the pictures of the README and the guide: three pages over runs that a worker drives meanwhile.
#
#   tests/browser/screenshots.sh
#
# Needs Chromium and its driver.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
driver=$(command -v chromedriver) || { echo "screenshots.sh: chromedriver is missing" >&2; exit 1; }
mkdir -p cot-core/docs/images
env COT_CHROMEDRIVER="$driver" cargo run --quiet -p cot-browser-tests --bin screenshots -- cot-core/docs/images
