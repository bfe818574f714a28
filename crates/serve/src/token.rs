//! The secret in the address: whoever knows it was given it by the user who started the server. The port is no secret; any account of the
//! machine can find it by trying.

use std::fmt;
use std::io;

/// Random bytes of a token. 128 bits cannot be guessed.
const BYTES: usize = 16;

/// The first part of every path.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// A new one, from the system's generator.
    pub fn random() -> io::Result<Token> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether a path begins with it. How long the comparison takes does not depend on how much of a guess is right.
    pub fn opens(&self, path: &str) -> bool {
        let first = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        first
            .is_some_and(|(found, _)| constant_time_eq::constant_time_eq(found.as_bytes(), self.0.as_bytes()))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}
