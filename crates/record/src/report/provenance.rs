//! Provenance of a run, and the command that repeats it.

use super::gather::Findings;
use maud::{Markup, html};

/// The section of the page.
pub(super) fn section(findings: &Findings) -> Markup {
    let manifest = &findings.manifest;
    let build = &manifest.build;
    html! {
        section id="provenance" {
            h2 { "Provenance" }
            @if manifest.command.is_empty() { p.absent { "The command that made this run is not known." } }
            @else {
                p { "This repeats the run:" }
                div.command {
                    pre tabindex="0" { code id="command" { (manifest.command) } }
                    button type="button" data-copy="command" hidden { "Copy" }
                }
            }
            dl.facts {
                @if !manifest.began.is_empty() { dt { "began" } dd { (date(&manifest.began)) } }
                dt { "program" } dd { "touchdown " (or_unknown(&manifest.version)) }
                dt { "build" } dd { (or_unknown(&build.profile)) " " (build.target) @if !build.compiler.is_empty() { ", " (build.compiler) } }
                dt { "commit" } dd { (or_unknown(&build.commit)) @if build.dirty { ", with changes (sources " code { (build.source) } ")" } }
                dt { "seed" } dd { (manifest.seed) }
                dt { "threads" } dd { (manifest.threads) " (results do not depend on it)" }
            }
            @if !manifest.accepted.is_empty() {
                p { span.flag.bad { "✗ changed during the run" } " The run was resumed with things that were not as it began:" }
                ul { @for change in &manifest.accepted { li { (change) } } }
            }
            div.scroll tabindex="0" { table.hashes {
                thead { tr { th { "input" } th { "BLAKE3" } } }
                tbody {
                    tr { td { "resolved.toml, the scenario with every default written out" } td { (hash(&manifest.resolved_blake3)) } }
                    @for input in &manifest.inputs { tr { td { (input.name) } td { (hash(&input.blake3)) } } }
                }
            } }
        }
    }
}

/// RFC 3339 in a readable form.
fn date(written: &str) -> String {
    written.replace('T', " ").replace('Z', " UTC")
}

fn or_unknown(text: &str) -> &str {
    if text.is_empty() { "(not known)" } else { text }
}

fn hash(hash: &str) -> Markup {
    html! { @if hash.is_empty() { span.absent { "not known" } } @else { code.hash { (hash) } } }
}
