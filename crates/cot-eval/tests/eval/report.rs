use cot_core::eval::{Comparison, Interval, Report};
use proptest::prelude::*;
use serde_json::json;

use crate::process::{Clerk, folders};

#[tokio::test]
async fn a_report_is_read_at_a_glance() {
    let report = folders(Clerk::bills()).repeats(2).run().await;
    assert_eq!(
        report.to_string(),
        "\
folders: process `Sorter`

         passed         95 %  errors  calls  tokens in  out  cost  retries  repaired  folder
small    4 of 6   21 to 94 %       0      6         60   12              0         0    0.67
- money  4 of 4  34 to 100 %       0      4         40    8              0         0    1.00

small, cases that failed:
- hello (0 of 2): folder 0.00, Some(\"bills\") is not Some(\"friends\")
"
    );
    let markdown = report.to_markdown();
    assert!(markdown.starts_with("**folders**: process `Sorter`\n\n|"), "{markdown}");
    assert!(markdown.contains("\n|---|---:|"), "{markdown}");
}

#[tokio::test]
async fn a_report_is_kept_as_json() {
    let report = folders(Clerk::bills()).run().await;
    let json = serde_json::to_string(&report).unwrap();
    let read: Report = serde_json::from_str(&json).unwrap();
    assert_eq!(read, report);
    assert_eq!(read.by_task("small")["sort"].visits, 3);
    assert_eq!(read.by_case("small")[0].0, "hello", "the worst one first");
}

#[test]
fn the_interval_of_a_rate_is_that_of_wilson() {
    // Newcombe 1998, Table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    let published = [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ];
    for (passed, trials, low, high) in published {
        let interval = Interval::wilson(f64::from(passed) / trials as f64, trials);
        assert!(
            (interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5,
            "{interval:?}"
        );
    }
    assert_eq!((Interval::wilson(0.5, 0).low, Interval::wilson(0.5, 0).high), (0.0, 1.0));
}

proptest! {
    #[test]
    fn an_interval_has_its_rate_in_it(passed in 0_usize..500, failed in 0_usize..500) {
        let trials = passed + failed;
        prop_assume!(trials > 0);
        let rate = passed as f64 / trials as f64;
        let interval = Interval::wilson(rate, trials);
        prop_assert!(interval.low <= rate + 1e-12 && rate <= interval.high + 1e-12, "{interval:?}");
        prop_assert!((0.0..=1.0).contains(&interval.low) && (0.0..=1.0).contains(&interval.high));
    }
}

#[tokio::test]
async fn markdown_shows_what_a_model_wrote_as_text() {
    let clerk = Clerk::new(&[("", r#"{"name":"a|<b>@all"}"#)]);
    let markdown = folders(clerk).run().await.to_markdown();
    assert!(markdown.contains("a\\|&lt;b&gt;&#64;all"), "{markdown}");
}

#[test]
fn a_report_with_any_numbers_is_summarized() {
    let most = u64::MAX;
    let usage =
        json!({ "calls": most, "input_tokens": most, "output_tokens": most, "cost": f64::MAX });
    let totals = json!({
        "visits": most, "accepted_replies": most, "failed_attempts": most, "retries": most,
        "repaired_replies": most, "usage": usage,
    });
    let trial = json!({
        "variant": "v", "case": "c", "tags": ["t"], "repeat": u32::MAX, "passed": false,
        "scores": { "s": { "value": f64::MAX } }, "usage": usage,
        "elapsed": { "secs": most, "nanos": 999_999_999 }, "tasks": { "a": totals, "b": totals },
    });
    let report = json!({
        "name": "r", "process": "P", "version": null, "variants": ["v", "v"], "scorers": { "s": f64::MIN },
        "left_out": usize::MAX, "paid": usage, "trials": [trial, trial],
    });
    let report: Report = serde_json::from_value(report).unwrap();
    assert_eq!(report.summary("v").elapsed, std::time::Duration::new(most, 999_999_999));
    assert_eq!(report.by_task("v")["a"].visits, most);
    let both = report.clone().join(report.clone());
    assert!(both.to_string().contains("The budget left out"));
    assert!(!Comparison::between(&report, &both).is_worse_by(0.0));
}
