//! A sub-process is named by the process that it runs.

use cot_core::prelude::*;

#[derive(Debug, Clone)]
struct Other;

cot_process! {
    process Demo {
        state: String,
        task sub { process: Other with Other, next: done }
        task done { end }
    }
}

fn main() {}
