//! What the macro adds to the rules of the engine, which `cot-engine` tests itself: commits and readings with types.

mod commit;
mod reading;
