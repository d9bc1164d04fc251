//! Tasks whose models call tools.

mod captured;
mod described;
mod marked;
mod running;
mod shop;
mod stored;
mod tested;
