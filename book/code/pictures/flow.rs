//! The way from a prompt to a commit.

use super::svg::Picture;

const WIDTH: f64 = 560.0;
const LEFT: f64 = 24.0;
const BOX: (f64, f64) = (400.0, 58.0);
const GAP: f64 = 26.0;

const STYLE: &str = "
.panel { fill: #ffffff; stroke: #d0d7de }
text { font: 14px system-ui, sans-serif; fill: #1f2328 }
.name { font-weight: bold; font-size: 16px }
.box { fill: #ddf4ff; stroke: #54aeff }
.safe { fill: #dafbe1; stroke: #4ac26b }
.arrow { fill: none; stroke: #57606a; stroke-width: 2; marker-end: url(#head) }
.back { fill: none; stroke: #cf222e; stroke-width: 2; marker-end: url(#red) }
.issue { fill: #cf222e; font-size: 13px }
";

/// The tips of the arrows.
const HEADS: &str = r##"<defs>
<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="#57606a"/></marker>
<marker id="red" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="#cf222e"/></marker>
</defs>"##;

/// What happens to one attempt: the step, what it does, and the class of its box.
const STEPS: [(&str, &str, &str); 6] = [
    ("prompt", "the texts of the process and the type of the output", "box"),
    ("model", "held to the schema where its server can do that", "box"),
    ("reader", "finds the JSON, and repairs it without guessing", "box"),
    ("validation", "schema, type, rules, found_in, check", "box"),
    ("commit", "all writes of the update to the state, or none", "safe"),
    ("store", "the step is durable before anything follows from it", "safe"),
];
/// The step that sends a reply back.
const VALIDATION: usize = 3;

/// Draws the loop of one task.
#[must_use]
pub fn attempt() -> String {
    let mut picture = Picture::new(WIDTH, STYLE);
    picture.add(HEADS, 0.0);
    for (index, (name, what, class)) in STEPS.into_iter().enumerate() {
        let top = top(index);
        picture.rectangle((LEFT, top), BOX, class);
        picture.text((LEFT + 16.0, top + 24.0), r#"class="name""#, name);
        picture.text((LEFT + 16.0, top + 45.0), "", what);
        let middle = LEFT + BOX.0 / 2.0;
        let from = top + BOX.1;
        let arrow = format!(r#"<path class="arrow" d="M{middle} {from} V{}"/>"#, from + GAP - 2.0);
        picture.add(&arrow, from);
    }
    let end = top(STEPS.len());
    picture.text((LEFT + 16.0, end + 18.0), r#"class="name""#, "the next task");
    picture.text((LEFT + 150.0, end + 18.0), "", "by `next:`, a transition, or `on:`");
    add_way_back(&mut picture);
    picture.finish("From a prompt to a commit: a rejected reply is asked for again", 20.0)
}

/// The arrow from the validation to the prompt, with its reason beside it.
fn add_way_back(picture: &mut Picture) {
    let right = LEFT + BOX.0;
    let (from, to) = (top(VALIDATION) + BOX.1 / 2.0, top(0) + BOX.1 / 2.0);
    let turn = right + 26.0;
    let way = format!(r#"<path class="back" d="M{right} {from} H{turn} V{to} H{}"/>"#, right + 2.0);
    picture.add(&way, from);
    let reason = [
        "rejected: the",
        "issues, with",
        "their paths,",
        "are in the",
        "next prompt",
        "",
        "after 3, by",
        "default, `on:`",
        "says where to,",
        "or it halts",
    ];
    let mut y = top(1) - 6.0;
    for line in reason {
        picture.text((turn + 10.0, y), r#"class="issue""#, line);
        y += 18.0;
    }
}

fn top(step: usize) -> f64 {
    f64::from(u16::try_from(step).unwrap_or(u16::MAX)).mul_add(BOX.1 + GAP, 20.0)
}
