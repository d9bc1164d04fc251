//! Eighteen processes that run each other, all at the location of one macro call.

use cot_core::prelude::*;

#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub struct State {
    pub depth: u32,
}

macro_rules! runs {
    ($($name:ident runs $next:ident;)*) => {$(
        cot_process! {
            process $name {
                state: State,
                task sub { process: $next with state.clone(), next: done }
                task done { end }
            }
        }
    )*};
}

runs! {
    P0 runs P1;
    P1 runs P2;
    P2 runs P3;
    P3 runs P4;
    P4 runs P5;
    P5 runs P6;
    P6 runs P7;
    P7 runs P8;
    P8 runs P9;
    P9 runs P10;
    P10 runs P11;
    P11 runs P12;
    P12 runs P13;
    P13 runs P14;
    P14 runs P15;
    P15 runs P16;
    P16 runs P17;
    P17 runs P0;
}

fn main() {}
