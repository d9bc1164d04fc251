#[serde(tag = "kind", content = "of")]
enum Order {
    #[cot(alias = "purchase")]
    Buy {
        count: u32,
        #[cot(when = self.count > 10, required, because = "much needs a reason")]
        reason: Option<String>,
    },
    Both(Box<Order>, #[cot(check = even)] u32),
    Wait,
}
