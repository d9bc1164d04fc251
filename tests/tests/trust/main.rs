//! Trust: with `trust: strict`, a sentence in an untrusted field never becomes an argument with authority of an effect
//! that nobody approved, even if the model obeys every sentence that it is shown.

mod arguments;
mod described;
mod desks;
mod history;
mod issues;
mod obedient;
mod property;
