//! Traces of any kind, for property tests.

use proptest::{collection::vec, option, prelude::*};

use super::{texts::text, *};

fn name() -> impl Strategy<Value = String> {
    text().prop_filter("a name is not empty", |name| !name.is_empty())
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<f64>().prop_filter_map("is finite", Number::from_f64),
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        (-1e22..1e22).prop_filter_map("is finite", |float: f64| Number::from_f64(float.round())),
    ]
}

fn marked(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Expr> {
    let marks =
        (vec(name(), 0..3), vec(name(), 0..3), vec(any::<u64>(), 0..3), option::of(0.0..1.0));
    (value, option::of(marks)).prop_map(|(value, marks)| {
        let mut expr = Expr::from(value);
        let Some((tags, references, satisfies, confidence)) = marks else { return expr };
        for tag in tags {
            expr = expr.tag(tag);
        }
        for tag in references {
            expr = expr.reference(tag);
        }
        for item in satisfies {
            expr = expr.satisfy(item);
        }
        if let Some(confidence) = confidence {
            expr = expr.confident(confidence);
        }
        expr
    })
}

fn object(expr: impl Strategy<Value = Expr>) -> impl Strategy<Value = Object> {
    let key = prop_oneof![text(), Just("call".to_owned()), Just("$value".to_owned())];
    vec((key, expr), 0..4).prop_map(|entries| {
        let add = |object: Object, (key, expr): (String, Expr)| object.with(key, expr);
        entries.into_iter().fold(Object::default(), add)
    })
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = marked(prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        text().prop_map(Value::Text),
    ]);
    leaf.prop_recursive(4, 24, 4, |inner| {
        marked(prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            object(inner).prop_map(Value::Object),
        ])
    })
}

fn block() -> impl Strategy<Value = Block> {
    let kind = prop::sample::select(BlockKind::ALL.to_vec());
    (kind, marked(text().prop_map(Value::Text)), marked(object(expr()).prop_map(Value::Object)))
        .prop_map(|(kind, message, object)| {
            Block::new(kind, if kind.is_message() { message } else { object })
        })
}

pub(super) fn trace() -> impl Strategy<Value = Trace> {
    vec(block(), 0..5).prop_map(Trace::from)
}
