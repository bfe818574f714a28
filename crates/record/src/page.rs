//! The frame of every page that this program writes: one file that contains its styles and scripts and needs
//! no network.
//!
//! A `Content-Security-Policy` forbids the page to load anything; markup is escaped by `maud`, data by
//! [`json_block`].

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Script of the report: charts and the replay. Built from `viewer/`; empty without the feature `pages`.
#[cfg(feature = "pages")]
const SCRIPT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/pages/report.js"));
#[cfg(not(feature = "pages"))]
const SCRIPT: &str = "";
/// Styles of all pages, light and dark, screen and paper; empty without the feature `pages`.
#[cfg(feature = "pages")]
const STYLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/pages/report.css"));
#[cfg(not(feature = "pages"))]
const STYLE: &str = "";
/// Printed at the top of a page built without them.
const PLAIN: &str = "This program was built without its pages (feature `pages`): no charts, no replay, no styles. The numbers below are complete.";

/// A whole page. With `scripted` it carries the script that draws charts and the replay.
pub fn page(title: &str, body: &Markup, scripted: bool) -> String {
    framed(title, body, scripted, "data:")
}

/// A page without that script that can show pictures from its own folder.
pub fn page_with_pictures(title: &str, body: &Markup) -> String {
    framed(title, body, false, "data: file: 'self'")
}

/// A page that can show pictures from these sources.
fn framed(title: &str, body: &Markup, scripted: bool, pictures: &str) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src {pictures}; connect-src 'none'"
    );
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="generator" content="touchdown";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                @if cfg!(not(feature = "pages")) { p { (PLAIN) } }
                (body)
                @if scripted && !SCRIPT.is_empty() { script { (PreEscaped(SCRIPT)) } }
            }
        }
    };
    markup.into_string()
}

/// Whether a file is a page that this program wrote.
pub fn is_ours(content: &[u8]) -> bool {
    /// The head of a page up to its styles, bytes.
    const HEAD: usize = 1024;
    let head = String::from_utf8_lossy(&content[..content.len().min(HEAD)]);
    head.contains(r#"<meta name="generator" content="touchdown">"#)
}

/// Data for the page's script, in an element that no value can break out of.
pub fn json_block(id: &str, data: &serde_json::Value) -> Markup {
    // Only `<` can end the element or open a comment in it; JSON permits it as an escape.
    let text = data.to_string().replace('<', "\\u003c");
    html! { script type="application/json" id=(id) { (PreEscaped(text)) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn no_value_breaks_out_of_its_element() {
        let nasty = json!({ "a": "</script><script>alert(1)</script><!--", "b": "\u{2028}" });
        let markup = json_block("data", &nasty).into_string();
        assert_eq!(markup.matches("</script").count(), 1);
        let inner = &markup[markup.find('>').unwrap() + 1..markup.rfind('<').unwrap()];
        assert_eq!(serde_json::from_str::<Value>(inner).unwrap(), nasty);
    }
}
