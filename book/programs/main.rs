//! The programs of the tutorial: `cargo run -p cot-book -- classify` runs that of its first chapter.

fn main() {}
