//! Functions with `effect: transaction`. What they do is that of the tests of SQLite.

mod bounds;
mod database;
mod exactly_once;
mod faults;
#[path = "../../../../cot-sqlite/tests/store/transactions/kills.rs"]
mod kills;
#[path = "../../../../cot-sqlite/tests/store/transactions/shop.rs"]
mod shop;
