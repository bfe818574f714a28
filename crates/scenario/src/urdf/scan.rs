//! A scan of XML for locations: tags with their positions and the tags that contain them; and whether they
//! are nested correctly.
//!
//! The URDF library reports neither the location of an element nor what it omitted; this scan does both,
//! before the library runs.

use std::ops::Range;

/// Deepest nesting; a URDF requires five levels.
const DEEPEST: usize = 32;

/// An opening tag.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tag {
    pub name: String,
    /// Value of its `name` attribute.
    pub label: Option<String>,
    /// Names of the tags around it, outermost first.
    pub inside: Vec<String>,
    pub span: Range<usize>,
}

/// The fault and its location.
pub(crate) type ScanError = (Range<usize>, String);

/// All opening tags in order.
pub(crate) fn scan(text: &str) -> Result<Vec<Tag>, ScanError> {
    let mut tags = Vec::new();
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        at = match skip_special(text, start)? {
            Some(end) => end,
            None => {
                let end = tag_end(text, start)?;
                element(text, start..end, &mut open, &mut tags)?;
                end
            }
        };
    }
    match open.last() {
        Some((name, start)) => Err((*start..start + name.len() + 1, format!("<{name}> is never closed"))),
        None if tags.is_empty() => Err((0..text.len().min(1), "there is no XML element".into())),
        None => Ok(tags),
    }
}

/// Comments, declarations and character data: the end of one that starts here.
fn skip_special(text: &str, start: usize) -> Result<Option<usize>, ScanError> {
    for (begin, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")] {
        if text[start..].starts_with(begin) {
            return match text[start + begin.len()..].find(end) {
                Some(found) => Ok(Some(start + begin.len() + found + end.len())),
                None => Err((start..start + begin.len(), format!("{begin} is never closed"))),
            };
        }
    }
    Ok(None)
}

/// End of the tag that starts here; a `>` inside quotes does not end it.
fn tag_end(text: &str, start: usize) -> Result<usize, ScanError> {
    let mut quote = None;
    for (i, c) in text[start..].char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), _) if q == c => quote = None,
            (None, '>') => return Ok(start + i + 1),
            _ => {}
        }
    }
    Err((start..start + 1, "a tag is never closed".into()))
}

fn element(
    text: &str,
    span: Range<usize>,
    open: &mut Vec<(String, usize)>,
    tags: &mut Vec<Tag>,
) -> Result<(), ScanError> {
    let inner = &text[span.start + 1..span.end - 1];
    if let Some(name) = inner.strip_prefix('/') {
        return match open.pop() {
            Some((opened, _)) if opened == name.trim() => Ok(()),
            Some((opened, _)) => Err((span, format!("</{}> closes <{opened}>", name.trim()))),
            None => Err((span, format!("</{}> closes nothing", name.trim()))),
        };
    }
    let body = inner.strip_suffix('/').unwrap_or(inner);
    let name: String = body.chars().take_while(|c| !c.is_whitespace()).collect();
    if name.is_empty() {
        return Err((span, "a tag without a name".into()));
    }
    let inside = open.iter().map(|o| o.0.clone()).collect();
    tags.push(Tag { label: attribute(body, "name"), name: name.clone(), inside, span: span.clone() });
    if !inner.ends_with('/') {
        if open.len() >= DEEPEST {
            return Err((span, format!("elements nest deeper than {DEEPEST}")));
        }
        open.push((name, span.start));
    }
    Ok(())
}

/// Value of an attribute inside a tag.
fn attribute(body: &str, name: &str) -> Option<String> {
    let mut rest = body;
    while let Some(found) = rest.find(name) {
        let before = rest[..found].chars().next_back();
        let after = rest[found + name.len()..].trim_start();
        if let (Some(c), Some(value)) = (before, after.strip_prefix('='))
            && c.is_whitespace()
        {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|q| matches!(q, '"' | '\''))?;
            return value[1..].split(quote).next().map(str::to_string);
        }
        rest = &rest[found + name.len()..];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tags are found with their location and the tags around them; comments and quoted brackets are handled.
    #[test]
    fn tags_are_found() {
        let text = "<?xml?><robot name='r'><!-- <x> --><link name=\"a>b\"/><link\n name = 'c'><visual/></link></robot>";
        let tags = scan(text).unwrap();
        let names: Vec<&str> = tags.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["robot", "link", "link", "visual"]);
        assert_eq!(tags[1].label.as_deref(), Some("a>b"));
        assert_eq!(tags[2].label.as_deref(), Some("c"));
        assert_eq!(tags[3].inside, ["robot", "link"]);
    }

    /// Incorrect nesting is an error with its location, never a panic.
    #[test]
    fn broken_xml_is_placed() {
        assert_eq!(scan("<a><b></a>").unwrap_err().0, 6..10);
        assert!(
            scan("<a").is_err() && scan("").is_err() && scan("<a><!-- ").is_err() && scan("</a>").is_err()
        );
        assert!(scan(&"<a>".repeat(100)).unwrap_err().1.contains("deeper"));
        assert!(scan("<ä ö='ü'>").is_err() && scan("< >").is_err() && scan("<>").is_err());
    }
}
