//! The figures that the guide states.

use super::table::print_table;

const GUIDE: &str = include_str!("../../../../cot-core/docs/trust.md");

#[tokio::test]
async fn the_guide_says_what_attacks_achieve() {
    let table = print_table().await.unwrap();
    assert!(GUIDE.contains(&table), "write into the guide:\n{table}");
}
