#[automatically_derived]
impl ::cot_core::CotOutput for Order {
    type Partial = ::cot_core::Incoming<Order>;
    fn output_schema() -> &'static ::cot_core::OutputSchema {
        static SCHEMA: ::std::sync::OnceLock<::cot_core::OutputSchema> = ::std::sync::OnceLock::new();
        SCHEMA.get_or_init(::cot_core::OutputSchema::for_output::<Order> as fn() -> _)
    }
    fn gather_rules(rules: &mut ::cot_core::__private::RulesCollector) {
        rules
            .add_type::<
                Self,
            >(
                &[
                    ::cot_core::__private::FieldRule {
                        name: "reason",
                        aliases: &[],
                        allow_loss: false,
                        notes: &["Sometimes required, because much needs a reason."],
                    },
                ],
                &[
                    ::cot_core::__private::VariantRule {
                        name: "Buy",
                        aliases: &["purchase"],
                    },
                ],
                |rules| {
                    rules.mark_checks();
                    ::cot_core::__private::OutputType::<Order>::NEW.gather_rules(rules);
                },
            );
    }
    fn run_checks(&self, checker: &mut ::cot_core::__private::Checker<'_>) {
        match self {
            Self::Buy { count: _field_count, reason: _field_reason } => {
                checker
                    .field(
                        "of",
                        |checker| {
                            checker
                                .field(
                                    "reason",
                                    |checker| {
                                        let result: bool = (*_field_count) > 10;
                                        checker
                                            .when(
                                                result,
                                                |checker| {
                                                    checker
                                                        .require(
                                                            (_field_reason).is_some(),
                                                            "is required, because much needs a reason",
                                                        );
                                                },
                                            );
                                    },
                                );
                        },
                    );
            }
            Self::Both { 0: _field_0, 1: _field_1 } => {
                checker
                    .field(
                        "of",
                        |checker| {
                            checker
                                .index(
                                    0usize,
                                    |checker| {
                                        ::cot_core::__private::OutputPart((&**_field_0))
                                            .run_checks(checker);
                                    },
                                );
                            checker
                                .index(
                                    1usize,
                                    |checker| {
                                        checker
                                            .check(
                                                || {
                                                    let result: ::core::result::Result<
                                                        (),
                                                        ::cot_core::Issues,
                                                    > = even(_field_1);
                                                    result
                                                },
                                                "",
                                            );
                                    },
                                );
                        },
                    );
            }
            _ => {}
        }
    }
}
