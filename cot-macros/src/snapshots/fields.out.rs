const _: () = {
    ///A `Parcel` that is still being received.
    #[derive(
        ::core::fmt::Debug,
        ::core::clone::Clone,
        ::core::default::Default,
        ::cot_core::__private::serde::Deserialize,
    )]
    #[serde(crate = "::cot_core::__private::serde", default)]
    #[allow(dead_code, reason = "not every partial view is used")]
    pub struct ParcelPartial {
        ///The received part of `parcel_code`.
        #[serde(rename = "parcelCode")]
        pub parcel_code: ::cot_core::Incoming<String>,
        ///The received part of `shoes`.
        #[serde(rename = "shoes", alias = "pairs")]
        shoes: ::cot_core::Incoming<u32>,
        ///The received part of `reason`.
        #[serde(rename = "reason")]
        reason: ::cot_core::Incoming<::core::option::Option<String>>,
        ///The received part of `items`.
        #[serde(rename = "items")]
        items: ::cot_core::Incoming<
            ::std::vec::Vec<
                ::cot_core::Incoming<
                    ::core::option::Option<<Item as ::cot_core::CotOutput>::Partial>,
                >,
            >,
        >,
        ///The received part of `by_name`.
        #[serde(rename = "byName")]
        by_name: ::cot_core::Incoming<BTreeMap<String, Vec<Item>>>,
        ///The received part of `next`.
        #[serde(rename = "next")]
        next: ::cot_core::Incoming<
            ::core::option::Option<
                ::std::boxed::Box<<Parcel as ::cot_core::CotOutput>::Partial>,
            >,
        >,
    }
    #[automatically_derived]
    impl ::cot_core::CotOutput for Parcel {
        type Partial = ParcelPartial;
        const MEMBERS: ::core::option::Option<
            &'static [::cot_core::__private::MemberClosedness],
        > = {
            #[allow(unused_imports)]
            use ::cot_core::__private::MaybeOpen as __MaybeOpen;
            ::core::option::Option::Some(
                &[
                    (
                        "parcel_code",
                        <::cot_core::__private::Closedness<String>>::IS_CLOSED,
                    ),
                    ("shoes", <::cot_core::__private::Closedness<u32>>::IS_CLOSED),
                    (
                        "reason",
                        <::cot_core::__private::Closedness<Option<String>>>::IS_CLOSED,
                    ),
                    (
                        "items",
                        <::cot_core::__private::Closedness<Vec<Option<Item>>>>::IS_CLOSED,
                    ),
                    (
                        "by_name",
                        <::cot_core::__private::Closedness<
                            BTreeMap<String, Vec<Item>>,
                        >>::IS_CLOSED,
                    ),
                    (
                        "next",
                        <::cot_core::__private::Closedness<Option<Box<Self>>>>::IS_CLOSED,
                    ),
                    ("rest", false),
                ],
            )
        };
        fn output_schema() -> &'static ::cot_core::OutputSchema {
            static SCHEMA: ::std::sync::OnceLock<::cot_core::OutputSchema> = ::std::sync::OnceLock::new();
            SCHEMA
                .get_or_init(::cot_core::OutputSchema::for_output::<Parcel> as fn() -> _)
        }
        fn gather_rules(rules: &mut ::cot_core::__private::RulesCollector) {
            rules
                .add_type::<
                    Self,
                >(
                    &[
                        ::cot_core::__private::FieldRule {
                            name: "parcelCode",
                            aliases: &["code"],
                            allow_loss: false,
                            notes: &[],
                        },
                        ::cot_core::__private::FieldRule {
                            name: "shoes",
                            aliases: &["pairs"],
                            allow_loss: false,
                            notes: &["Boxes hold pairs."],
                        },
                        ::cot_core::__private::FieldRule {
                            name: "reason",
                            aliases: &[],
                            allow_loss: false,
                            notes: &["Required when `shoes > 10`."],
                        },
                        ::cot_core::__private::FieldRule {
                            name: "items",
                            aliases: &[],
                            allow_loss: true,
                            notes: &[],
                        },
                    ],
                    &[],
                    |rules| {
                        rules.mark_checks();
                        rules.set_notes::<Self>(&["The van is small."]);
                        ::cot_core::__private::OutputType::<Item>::NEW
                            .gather_rules(rules);
                        ::cot_core::__private::OutputType::<Self>::NEW
                            .gather_rules(rules);
                        rules
                            .add_flattened::<
                                Self,
                            >(|rules| {
                                ::cot_core::__private::OutputType::<Rest>::NEW
                                    .gather_rules(rules)
                            });
                    },
                );
        }
        fn run_checks(&self, checker: &mut ::cot_core::__private::Checker<'_>) {
            checker
                .field(
                    "parcelCode",
                    |checker| {
                        checker
                            .check(
                                || {
                                    let result: ::core::result::Result<
                                        (),
                                        ::cot_core::Issues,
                                    > = plain(&self.parcel_code);
                                    result
                                },
                                "",
                            );
                    },
                );
            checker
                .field(
                    "shoes",
                    |checker| {
                        checker
                            .check(
                                || {
                                    let result: ::core::result::Result<
                                        (),
                                        ::cot_core::Issues,
                                    > = even(&self.shoes);
                                    result
                                },
                                ", because boxes hold pairs",
                            );
                    },
                );
            checker
                .field(
                    "reason",
                    |checker| {
                        let result: bool = self.shoes > 10;
                        checker
                            .when(
                                result,
                                |checker| {
                                    checker
                                        .require(
                                            (&self.reason).is_some(),
                                            "is required when `shoes > 10`",
                                        );
                                },
                            );
                    },
                );
            checker
                .field(
                    "items",
                    |checker| {
                        checker
                            .items(
                                &self.items,
                                |value: &Option<Item>, checker| {
                                    checker
                                        .optional(
                                            value,
                                            |value: &Item, checker| {
                                                ::cot_core::__private::OutputPart(value)
                                                    .run_checks(checker);
                                            },
                                        );
                                },
                            );
                    },
                );
            checker
                .field(
                    "byName",
                    |checker| {
                        checker
                            .members(
                                &self.by_name,
                                |value: &Vec<Item>, checker| {
                                    checker
                                        .items(
                                            value,
                                            |value: &Item, checker| {
                                                ::cot_core::__private::OutputPart(value)
                                                    .run_checks(checker);
                                            },
                                        );
                                },
                            );
                    },
                );
            checker
                .field(
                    "next",
                    |checker| {
                        checker
                            .optional(
                                &self.next,
                                |value: &Box<Self>, checker| {
                                    ::cot_core::__private::OutputPart((&**value))
                                        .run_checks(checker);
                                },
                            );
                    },
                );
            ::cot_core::__private::OutputPart(&self.rest).run_checks(checker);
            checker
                .check(
                    || {
                        let result: ::core::result::Result<(), ::cot_core::Issues> = fits(
                            self,
                        );
                        result
                    },
                    ", because the van is small",
                );
        }
        fn json_key(
            member: &::core::primitive::str,
        ) -> ::core::option::Option<&::core::primitive::str> {
            match member {
                "parcel_code" => ::core::option::Option::Some("parcelCode"),
                "by_name" => ::core::option::Option::Some("byName"),
                "rest" => ::core::option::Option::None,
                member => ::core::option::Option::Some(member),
            }
        }
    }
};
