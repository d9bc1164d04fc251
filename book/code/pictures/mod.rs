//! The pictures of the book as SVG, drawn from what is true: the output of programs, and a real request.

mod cast;
mod flow;
mod prompt;
mod svg;

pub use cast::cast;
pub use flow::attempt;
pub use prompt::prompt;
