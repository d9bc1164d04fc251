#[serde(rename_all = "camelCase")]
#[cot(check = fits, because = "the van is small")]
pub struct Parcel {
    #[cot(alias = "code", check = plain)]
    pub parcel_code: String,
    #[serde(alias = "pairs")]
    #[cot(check = even, because = "boxes hold pairs")]
    shoes: u32,
    #[cot(when = self.shoes > 10, required)]
    reason: Option<String>,
    #[cot(allow_loss, partial)]
    items: Vec<Option<Item>>,
    by_name: BTreeMap<String, Vec<Item>>,
    #[cot(partial)]
    next: Option<Box<Self>>,
    #[serde(skip)]
    note: String,
    #[serde(flatten)]
    rest: Rest,
}
