//! What a browser would post of a form, so far as the forms of this crate need it.

/// Returns the names and values of the controls of a form that a browser would post.
pub(crate) fn posted(html: &str) -> Vec<(String, String)> {
    let mut rest = html;
    let mut pairs = Vec::new();
    let mut select = None;
    while let Some(start) = rest.find('<') {
        let tag = &rest[start + 1..];
        let end = tag.find('>').expect("tags end");
        let (tag, after) = (&tag[..end], &tag[end + 1..]);
        rest = after;
        let name = || attribute(tag, "name");
        let is = |element: &str| tag == element || tag.starts_with(&format!("{element} "));
        if is("input") {
            let is_unchecked = ["radio", "checkbox"]
                .contains(&attribute(tag, "type").unwrap().as_str())
                && !tag.ends_with(" checked");
            if !is_unchecked {
                pairs.push((name().unwrap(), attribute(tag, "value").unwrap_or_default()));
            }
        } else if is("textarea") {
            let end = rest.find("</textarea>").expect("text areas end");
            let text = unescape(&rest[..end]);
            // The first line end belongs to the markup.
            let text = text.strip_prefix('\n').unwrap_or(&text);
            pairs.push((name().unwrap(), text.replace('\n', "\r\n")));
        } else if is("select") {
            select = name();
        } else if is("option") && tag.ends_with(" selected") {
            pairs.push((select.clone().unwrap(), attribute(tag, "value").unwrap()));
        }
    }
    pairs
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    let value = &tag[start..];
    Some(unescape(&value[..value.find('"')?]))
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
