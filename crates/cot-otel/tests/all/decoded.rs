//! Spans and metrics as they were received.

use opentelemetry_proto::tonic::{
    common::v1::{AnyValue, KeyValue, any_value::Value as Any},
    metrics::v1::{
        HistogramDataPoint, Metric, NumberDataPoint, metric::Data,
        number_data_point::Value as Number,
    },
    trace::v1::{Span, span::SpanKind, status::StatusCode},
};
use serde_json::{Map, Value, json};

/// Received spans.
pub(crate) struct Spans(pub(crate) Vec<Span>);

impl Spans {
    pub(crate) fn new(mut spans: Vec<Span>) -> Self {
        spans.sort_by_key(|span| span.start_time_unix_nano);
        Self(spans)
    }

    /// The only span of this name.
    #[track_caller]
    pub(crate) fn only(&self, name: &str) -> &Span {
        match self.all(name)[..] {
            [span] => span,
            ref spans => panic!("{} spans `{name}` in\n{}", spans.len(), self.tree()),
        }
    }

    pub(crate) fn all(&self, name: &str) -> Vec<&Span> {
        self.0.iter().filter(|span| span.name == name).collect()
    }

    pub(crate) fn children<'a>(&'a self, parent: &'a Span) -> impl Iterator<Item = &'a Span> {
        self.0.iter().filter(|span| span.parent_span_id == parent.span_id)
    }

    /// The names as a tree, in the order of the starts.
    pub(crate) fn tree(&self) -> String {
        let is_root =
            |span: &&Span| !self.0.iter().any(|other| other.span_id == span.parent_span_id);
        let mut text = String::new();
        for root in self.0.iter().filter(is_root) {
            self.write(root, 0, &mut text);
        }
        text
    }

    fn write(&self, span: &Span, depth: usize, text: &mut String) {
        *text += &format!("{}{}\n", "  ".repeat(depth), span.name);
        for child in self.children(span) {
            self.write(child, depth + 1, text);
        }
    }
}

/// The attributes as an object.
pub(crate) fn attributes(of: &[KeyValue]) -> Map<String, Value> {
    let value = |attribute: &KeyValue| attribute.value.as_ref().map_or(Value::Null, json_of);
    of.iter().map(|attribute| (attribute.key.clone(), value(attribute))).collect()
}

fn json_of(value: &AnyValue) -> Value {
    match value.value.as_ref() {
        Some(Any::StringValue(text)) => json!(text),
        Some(Any::BoolValue(value)) => json!(value),
        Some(Any::IntValue(number)) => json!(number),
        Some(Any::DoubleValue(number)) => json!(number),
        Some(Any::ArrayValue(array)) => array.values.iter().map(json_of).collect(),
        other => panic!("{other:?}"),
    }
}

/// What tests ask of a span.
pub(crate) trait SpanExt {
    fn get(&self, attribute: &str) -> Value;
    fn is_of_kind(&self, kind: SpanKind) -> bool;
    /// Whether the span has failed.
    fn has_failed(&self) -> bool;
    /// The words of its status.
    fn words(&self) -> &str;
    /// The attributes of its events of this name.
    fn events_named(&self, name: &str) -> Vec<Map<String, Value>>;
}

impl SpanExt for Span {
    fn get(&self, attribute: &str) -> Value {
        attributes(&self.attributes).get(attribute).cloned().unwrap_or_default()
    }

    fn is_of_kind(&self, kind: SpanKind) -> bool {
        self.kind == kind as i32
    }

    fn has_failed(&self) -> bool {
        self.status.as_ref().is_some_and(|status| status.code == StatusCode::Error as i32)
    }

    fn words(&self) -> &str {
        self.status.as_ref().map_or("", |status| &status.message)
    }

    fn events_named(&self, name: &str) -> Vec<Map<String, Value>> {
        let events = self.events.iter().filter(|event| event.name == name);
        events.map(|event| attributes(&event.attributes)).collect()
    }
}

/// Received metrics.
pub(crate) struct Metrics(pub(crate) Vec<Metric>);

impl Metrics {
    pub(crate) fn new(metrics: Vec<Metric>) -> Self {
        Self(metrics)
    }

    #[track_caller]
    pub(crate) fn get(&self, name: &str) -> &Metric {
        let found = self.0.iter().find(|metric| metric.name == name);
        found.unwrap_or_else(|| panic!("no `{name}`"))
    }

    /// The points of a histogram, with their attributes.
    #[track_caller]
    pub(crate) fn histogram(&self, name: &str) -> Vec<(Map<String, Value>, HistogramDataPoint)> {
        let Some(Data::Histogram(histogram)) = &self.get(name).data else {
            panic!("`{name}` is no histogram")
        };
        let points = histogram.data_points.iter();
        points.map(|point| (attributes(&point.attributes), point.clone())).collect()
    }

    /// The values of a counter or gauge, with their attributes.
    #[track_caller]
    pub(crate) fn numbers(&self, name: &str) -> Vec<(Map<String, Value>, f64)> {
        let points = match &self.get(name).data {
            Some(Data::Sum(sum)) => &sum.data_points,
            Some(Data::Gauge(gauge)) => &gauge.data_points,
            other => panic!("`{name}` is {other:?}"),
        };
        points.iter().map(|point| (attributes(&point.attributes), number(point))).collect()
    }

    /// The sum of the values of a counter; 0 if nothing was recorded.
    pub(crate) fn sum(&self, name: &str) -> f64 {
        if self.0.iter().any(|metric| metric.name == name) {
            self.numbers(name).iter().map(|(_, number)| number).sum()
        } else {
            0.0
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn number(point: &NumberDataPoint) -> f64 {
    match point.value {
        Some(Number::AsInt(number)) => number as f64,
        Some(Number::AsDouble(number)) => number,
        None => 0.0,
    }
}
