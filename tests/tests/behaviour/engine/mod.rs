//! The life of an AI task, point by point, and the rules of the machine.

mod asking;
mod commit;
mod failures;
mod hardened;
mod machine;
mod reading;
mod routing;
