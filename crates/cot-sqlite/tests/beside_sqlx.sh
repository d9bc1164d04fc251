#!/usr/bin/env bash
# Builds and runs a program that uses the store beside sqlx, whose crates link SQLite too: cargo has to find one
# version of it for both. Once for each version of sqlx, and once without it.
#
#     crates/cot-sqlite/tests/beside_sqlx.sh
#
# Fetches crates that the workspace does not have. Its files are under target/beside_sqlx.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
root=$PWD
folder=$root/target/beside_sqlx

# $1: the name of the package; $2: its dependency on sqlx, or nothing; $3: what it does with sqlx
try() {
    local package=$folder/$1
    mkdir -p "$package/src"
    cat >"$package/Cargo.toml" <<TOML
[package]
name = "$1"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
cot-sqlite = { path = "$root/crates/cot-sqlite" }
cot-store = { path = "$root/crates/cot-store" }
tokio = { version = "1", features = ["macros", "rt"] }
$2

[workspace]
TOML
    cat >"$package/src/main.rs" <<RUST
use cot_store::{RunFilter, Store as _};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let file = std::env::temp_dir().join(format!("beside-sqlx-{}.db", std::process::id()));
    let store = cot_sqlite::SqliteStore::open(&file).unwrap();
    assert_eq!(store.count(&RunFilter::default()).await.unwrap(), 0);
    $3
    drop(store);
    std::fs::remove_file(file).unwrap();
}
RUST
    cargo run --quiet --manifest-path "$package/Cargo.toml" --target-dir "$folder/target"
    grep -A1 -E '^name = "(rusqlite|sqlx)"' "$package/Cargo.lock" | grep -v '^--' | paste -d' ' - - |
        sed "s/^/$1: /"
}

sqlx() {
    printf 'sqlx = { version = "%s", default-features = false, features = ["sqlite", "runtime-tokio"] }' "$1"
}

query='let pool = sqlx::SqlitePool::connect("sqlite::memory:").await.unwrap();
    let two: i64 = sqlx::query_scalar("SELECT 1 + 1").fetch_one(&pool).await.unwrap();
    assert_eq!(two, 2);'

try alone "" ""
try sqlx-0-8 "$(sqlx 0.8)" "$query"
try sqlx-0-9 "$(sqlx 0.9)" "$query"
echo "3 passed, 0 failed"
