//! A function of the user over any state.

use cot_core::State;

#[derive(Clone)]
pub struct Plain;

fn keep<S: State>(state: &S) -> S {
    state.clone()
}

fn main() {
    let _ = keep(&Plain);
}
