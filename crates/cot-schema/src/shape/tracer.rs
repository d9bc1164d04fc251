//! Traces the shape of a type: deserializes it from made-up values and records what its `Deserialize`
//! requests.

use std::{
    any::type_name,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::de::{DeserializeOwned, Error as _, value::Error};

/// The shapes of types: by type, then by field or variant.
pub type Shapes = BTreeMap<String, BTreeMap<String, String>>;

/// Returns the shapes of a type and of the types in it. `name` is the name of the type itself.
///
/// Types whose `Deserialize` depends on the data (untagged, internally tagged, flattened and hand-written
/// ones) show little of their own shape, but do not hide that of other types.
pub fn shapes<T: DeserializeOwned>(name: &str) -> Shapes {
    let mut tracer = Tracer::default();
    for _ in 0..MAX_PASSES {
        tracer.has_changed = false;
        // Failures are recorded where they happen; the next pass reads those fields last.
        drop(tracer.trace_item(name, "", |shape| T::deserialize(shape)));
        if !tracer.has_changed {
            break;
        }
    }
    tracer.shapes
}

/// A deserializer that makes up values of the requested types and records the requests.
pub(crate) struct ShapeDeserializer<'t>(pub(crate) &'t mut Tracer);

/// Maximum number of passes. Each pass covers one more variant of each enum, or one more field without a
/// valid made-up value.
const MAX_PASSES: usize = 1000;
/// Maximum nesting, for enums whose first variant contains themselves, and for tuples.
const MAX_DEPTH: usize = 64;
const TOO_DEEP: &str = "too deep";

#[derive(Default)]
pub(crate) struct Tracer {
    shapes: Shapes,
    /// Fields and variants whose made-up values were rejected.
    refused: BTreeSet<(String, String)>,
    /// The field or variant that is being traced for the first time.
    place: Option<(String, String)>,
    /// The types that are being read, outermost first.
    open: Vec<&'static str>,
    /// The number of these types that contain themselves.
    recursions: usize,
    /// The visitors of the lists, tuples, maps and options that contain the current value.
    inside: Vec<&'static str>,
    depth: usize,
    has_changed: bool,
}

/// What the tracer restores after a field or variant.
struct Around {
    place: (String, String),
    is_new: bool,
    outer: Option<(String, String)>,
    inside: Vec<&'static str>,
}

impl Tracer {
    pub(super) fn record(&mut self, what: impl fmt::Display) {
        if let Some((name, item)) = &self.place {
            let items = self.shapes.entry(name.clone()).or_default();
            let shape = items.entry(item.clone()).or_default();
            shape.push_str(&format!("{what} "));
        }
    }

    /// Reads a field or variant of a type.
    pub(super) fn trace_item<T>(
        &mut self,
        name: &str,
        item: &str,
        read: impl FnOnce(ShapeDeserializer<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let around = self.begin_item((name.to_owned(), item.to_owned()));
        let result = read(ShapeDeserializer(self));
        self.end_item(around, result.is_err());
        result
    }

    fn begin_item(&mut self, place: (String, String)) -> Around {
        let is_new = self.recursions == 0 && !self.is_known(&place.0, &place.1);
        let outer = std::mem::replace(&mut self.place, is_new.then(|| place.clone()));
        let inside = std::mem::take(&mut self.inside);
        self.record("");
        self.depth += 1;
        Around { place, is_new, outer, inside }
    }

    fn end_item(&mut self, around: Around, is_err: bool) {
        let Around { place, is_new, outer, inside } = around;
        self.depth -= 1;
        self.inside = inside;
        self.place = outer;
        let is_refused = self.recursions == 0 && is_err && self.refused.insert(place);
        self.has_changed |= is_new || is_refused;
    }

    /// Reads a type with a name.
    pub(super) fn trace_type<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let is_inside_itself = self.begin_type(name)?;
        let result = read(self);
        self.recursions -= usize::from(is_inside_itself);
        self.open.pop();
        result
    }

    /// Returns whether the type contains itself.
    fn begin_type(&mut self, name: &'static str) -> Result<bool, Error> {
        self.check_depth()?;
        let is_inside_itself = self.open.contains(&name);
        self.open.push(name);
        self.recursions += usize::from(is_inside_itself);
        Ok(is_inside_itself)
    }

    /// Reads the contents of a list, tuple, map or option.
    pub(super) fn trace_contents<V, T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.begin_contents(type_name::<V>());
        let result = read(self);
        self.end_contents();
        result
    }

    fn begin_contents(&mut self, visitor: &'static str) {
        self.inside.push(visitor);
        self.depth += 1;
    }

    fn end_contents(&mut self) {
        self.depth -= 1;
        self.inside.pop();
    }

    /// Returns whether to make up contents for a list, map or option.
    ///
    /// Types without a name in the data (transparent and converted ones) are not passed to `trace_type`. Their
    /// recursion is detected by their visitors. Following it down to `MAX_DEPTH` would take exponential time
    /// for types that contain themselves twice.
    pub(super) fn allow_contents<V>(&mut self) -> bool {
        self.allow_contents_of(type_name::<V>())
    }

    fn allow_contents_of(&mut self, visitor: &'static str) -> bool {
        if self.recursions > 0 {
            return false;
        }
        let is_too_deep = self.depth > MAX_DEPTH || self.inside.contains(&visitor);
        if is_too_deep {
            self.record(TOO_DEEP);
        }
        !is_too_deep
    }

    pub(super) fn check_depth(&mut self) -> Result<(), Error> {
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        self.record(TOO_DEEP);
        Err(Error::custom(TOO_DEEP))
    }

    fn is_known(&self, name: &str, item: &str) -> bool {
        self.shapes.get(name).is_some_and(|items| items.contains_key(item))
    }

    fn is_refused(&self, name: &str, item: &str) -> bool {
        self.refused.contains(&(name.to_owned(), item.to_owned()))
    }

    /// Returns the first variant that was not traced yet, or else the first one with a valid made-up value.
    pub(super) fn next_variant(
        &self,
        name: &str,
        variants: &[&'static str],
    ) -> Option<&'static str> {
        let new = variants.iter().find(|v| self.recursions == 0 && !self.is_known(name, v));
        let usable = || variants.iter().find(|v| !self.is_refused(name, v));
        new.or_else(usable).or(variants.first()).copied()
    }

    /// Returns the fields in order, with the rejected ones last.
    pub(super) fn order_fields(&self, name: &str, fields: &[&'static str]) -> Vec<&'static str> {
        let mut fields = fields.to_vec();
        fields.sort_by_key(|field| self.is_refused(name, field));
        fields
    }
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroU8, time::Duration};

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    struct Root {
        address: std::net::IpAddr,
        any: serde_json::Value,
        tree: Tree,
        choice: Vec<Choice>,
        wait: Option<Duration>,
        count: NonZeroU8,
        history: cot_core::History,
        #[serde(default)]
        by_name: BTreeMap<String, Tree>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    struct Tree {
        children: Vec<Tree>,
        parent: Option<Box<Tree>>,
        size: u32,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    enum Choice {
        Never(Box<Choice>),
        Unit,
        One(u8),
        Two(u8, String),
        Many { flag: bool, tree: Tree },
    }

    fn shape_text(shapes: &Shapes, name: &str) -> String {
        let items = shapes.get(name).unwrap().iter();
        items.map(|(item, shape)| format!("{item}: {}\n", shape.trim())).collect()
    }

    #[test]
    fn all_fields_and_variants_are_seen() {
        let shapes = shapes::<Root>("Root");
        assert_eq!(shapes.keys().collect::<Vec<_>>(), ["Choice", "Duration", "Root", "Tree"]);
        let tree = "children: list Tree\nparent: option Tree\nsize: visit_u32\n";
        assert_eq!(shape_text(&shapes, "Tree"), tree);
        let choice = "Many: with [\"flag\", \"tree\"] visit_bool Tree\nNever: of Choice\n\
            One: of visit_u8\nTwo: tuple of 2 visit_u8 visit_string\nUnit: \n";
        assert_eq!(shape_text(&shapes, "Choice"), choice);
        let root = shape_text(&shapes, "Root");
        for field in ["address", "any", "tree", "choice", "wait", "count", "history", "by_name"] {
            assert!(root.contains(&format!("{field}: ")), "{field} in {root}");
        }
        assert!(root.contains("wait: option Duration") && root.contains("count: visit_u8"));
    }

    #[test]
    fn a_type_that_refuses_everything_has_a_shape() {
        assert_eq!(shape_text(&shapes::<std::net::IpAddr>("IpAddr"), "IpAddr"), ": visit_str\n");
        assert_eq!(shapes::<Vec<u8>>("Vec<u8>").len(), 1);
    }

    #[derive(Deserialize)]
    #[serde(transparent)]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    struct Outline(Vec<Outline>);

    #[derive(Deserialize)]
    #[serde(transparent)]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    struct Chain(Option<Box<Chain>>);

    #[derive(Deserialize)]
    #[serde(transparent)]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    struct Folder(BTreeMap<String, Folder>);

    #[derive(Deserialize)]
    #[serde(from = "Vec<Converted>")]
    struct Converted;

    impl From<Vec<Converted>> for Converted {
        fn from(_: Vec<Converted>) -> Self {
            Self
        }
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    struct Nameless {
        outline: Outline,
        chain: Chain,
        folder: Folder,
        converted: Converted,
        after: Vec<Vec<u8>>,
    }

    #[test]
    fn types_that_hold_themselves_without_a_name_have_an_end() {
        let shape = |shapes: Shapes| shape_text(&shapes, "It");
        assert_eq!(shape(shapes::<Outline>("It")), ": list list too deep\n");
        assert_eq!(shape(shapes::<Chain>("It")), ": option option too deep\n");
        assert_eq!(shape(shapes::<Folder>("It")), ": map visit_string map too deep\n");
        assert_eq!(shape(shapes::<Converted>("It")), ": list list too deep\n");
        let fields = "after: list list visit_u8\nchain: option option too deep\n\
            converted: list list too deep\nfolder: map visit_string map too deep\n\
            outline: list list too deep\n";
        assert_eq!(shape_text(&shapes::<Nameless>("It"), "Nameless"), fields);
        assert_eq!(shapes::<Nameless>("It"), shapes::<Nameless>("It"));
    }

    #[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize)]
    #[serde(transparent)]
    struct Wide(BTreeMap<Wide, [(Wide, Wide, Vec<Leaf>); 16]>);

    #[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize)]
    struct Leaf {
        size: u8,
    }

    #[derive(Deserialize)]
    #[serde(transparent)]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    struct Endless((u8, Box<Endless>));

    #[test]
    fn wide_and_endless_types_have_an_end_too() {
        assert_eq!(shape_text(&shapes::<Wide>("It"), "Leaf"), "size: visit_u8\n");
        let endless = shape_text(&shapes::<Endless>("It"), "It");
        assert!(endless.ends_with("tuple of 2 too deep\n"), "{endless}");
    }

    mod changed {
        use super::*;

        #[derive(Deserialize)]
        #[expect(dead_code, reason = "only their shapes are looked at")]
        pub(crate) struct Root {
            pub(crate) trees: Vec<Tree>,
        }

        #[derive(Deserialize)]
        #[expect(dead_code, reason = "only their shapes are looked at")]
        pub(crate) struct Tree {
            children: Vec<Tree>,
            parent: Option<Box<Tree>>,
            size: u64,
        }
    }

    #[derive(Deserialize)]
    #[serde(rename = "Root")]
    #[expect(dead_code, reason = "only their shapes are looked at")]
    struct Unchanged {
        trees: Vec<Tree>,
    }

    #[test]
    fn only_a_changed_field_of_a_nested_type_shows() {
        let (before, after) = (shapes::<Unchanged>("It"), shapes::<changed::Root>("It"));
        assert_eq!(shape_text(&before, "Root"), shape_text(&after, "Root"));
        let tree = "children: list Tree\nparent: option Tree\nsize: visit_";
        assert_eq!(shape_text(&before, "Tree"), format!("{tree}u32\n"));
        assert_eq!(shape_text(&after, "Tree"), format!("{tree}u64\n"));
    }
}
