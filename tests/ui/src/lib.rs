//! Programs that the macros judge. Each folder but `accepted` and `rustc` holds wrong ones, of one kind,
//! about which the macros alone have something to say: a test in `cot-macros` compares the messages
//! without a compiler. `rustc` holds those about which rustc speaks, `accepted` the right ones.
