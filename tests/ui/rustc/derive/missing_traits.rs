use cot_core::CotOutput;

#[derive(Debug, Clone, CotOutput)]
struct Plain {
    name: String,
}

fn main() {}
