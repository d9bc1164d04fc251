//! The life of an AI task, point by point as design.md 3.1 says it, and the rules of the machine.

mod asking;
mod commit;
mod failures;
mod machine;
mod routing;
