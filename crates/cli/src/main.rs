//! The `touchdown` command.

fn main() {}
