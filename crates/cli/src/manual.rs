//! `touchdown completions` and `touchdown man`: made from the declaration that reads the options.

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::print;
use clap::CommandFactory;
use std::path::Path;

/// Prints the completions of a shell.
pub fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "touchdown", &mut text);
    print(&String::from_utf8_lossy(&text))
}

/// Prints the manual page, or writes one for every command into a folder.
pub fn man(folder: Option<&Path>) -> Result<(), Failure> {
    let other = |error: std::io::Error| Failure::other(format!("writing the manual: {error}"));
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(other)?;
        return print(&String::from_utf8_lossy(&page));
    };
    std::fs::create_dir_all(folder).map_err(other)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(other)?;
    print(&format!("manual pages: {}\n", folder.display()))
}
