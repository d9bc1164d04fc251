use cot_core::CotOutput;

#[derive(CotOutput)]
union Either {
    left: u8,
    right: u8,
}

fn main() {}
