//! Functions with `effect: transaction`.

mod bounds;
mod database;
mod exactly_once;
mod kills;
mod refused;
mod shop;
