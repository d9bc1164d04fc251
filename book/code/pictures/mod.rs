//! The pictures of the book as SVG, drawn from what is true: the output of programs and of the compiler,
//! and a real request.

mod cast;
mod editor;
mod flow;
mod prompt;
mod svg;

pub use cast::cast;
pub use editor::editor;
pub use flow::attempt;
pub use prompt::prompt;
