//! The row type of the catalogue, and the macro that declares the rows.

use super::class::RepairClass;

/// A row of the catalogue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) class: RepairClass,
    pub(super) cost: u32,
    pub(super) sentence: &'static str,
    pub(super) example: &'static str,
}

/// Declares [`RepairKind`] with a row for each kind: `Kind: id, class, cost, sentence, example;`.
macro_rules! catalogue {
    ($(
        $kind:ident: $id:literal, $class:ident, $cost:literal, $sentence:literal,
        $example:literal;
    )*) => {
        /// A kind of repair. The variants are the rows of the catalogue, in its order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum RepairKind {
            $(#[doc = concat!("`", $id, "`")] $kind,)*
        }

        impl RepairKind {
            /// All kinds of repairs, in the order of the catalogue.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            pub(super) const fn row(self) -> Row {
                match self {
                    $(Self::$kind => Row {
                        id: $id,
                        class: RepairClass::$class,
                        cost: $cost,
                        sentence: $sentence,
                        example: $example,
                    },)*
                }
            }
        }
    };
}

pub(super) use catalogue;
