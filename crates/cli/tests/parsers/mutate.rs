//! Ways to break an input: bytes of any format, lines and values of texts.

use super::dice::Dice;

/// Numbers at the ends of what formats can say.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "-0.0",
    "1e308",
    "-1e308",
    "5e-324",
    "1e-300",
    "nan",
    "inf",
    "-inf",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "65536",
    "99999",
    "1000000",
    "0.1e",
    "1e21",
    "1e999",
];

/// Values of every type, with units right and wrong.
const VALUES: &[&str] = &[
    "\"\"",
    "true",
    "false",
    "[]",
    "[[]]",
    "{}",
    "[0, 0, 0]",
    "[1, 2]",
    "[nan, inf, 1]",
    "\"1 m\"",
    "\"-3 km\"",
    "\"0 kg\"",
    "\"1e300 N\"",
    "\"3 furlongs\"",
    "\"world\"",
    "\"..\"",
    "\"/dev/zero\"",
    "\"free\"",
    "\"on\"",
    "1979-05-27",
    "{ a = 1 }",
    "{ table = [[0, 1], [0, 2]] }",
    "{ sine = { amplitude = 1, frequency_hz = 1e300 } }",
    "\"\\u001b[2J\"",
    "\"\u{202e}\"",
    "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]",
    "\"a.b.c\"",
    "\"*\"",
    "[\"*\", \"*\"]",
];

/// A seed broken once or a few times.
pub fn mutated(seed: &[u8], others: &[Vec<u8>], text: bool, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.roll(3) {
        bytes = match std::str::from_utf8(&bytes) {
            Ok(whole) if text && dice.roll(4) > 0 => in_text(whole, others, dice).into_bytes(),
            _ => in_bytes(bytes, dice),
        };
    }
    bytes
}

fn in_bytes(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    if bytes.is_empty() {
        return vec![dice.roll(256) as u8];
    }
    // Half of the changes go where sizes and offsets lie: the beginning.
    let reach = if dice.roll(2) == 0 { bytes.len() } else { bytes.len().min(400) };
    let at = dice.roll(reach);
    match dice.roll(8) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << dice.roll(8),
        2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][dice.roll(5)],
        3 => extreme(&mut bytes[at..], dice),
        4 => drop(bytes.drain(at..(at + 1 + dice.roll(64)).min(reach))),
        5 => {
            let piece = bytes[at..(at + 1 + dice.roll(64)).min(reach)].to_vec();
            let to = dice.roll(bytes.len());
            bytes.splice(to..to, piece);
        }
        6 => drop(bytes.splice(at..at, (0..dice.roll(16)).map(|_| 0xff))),
        _ => bytes[at] = dice.roll(256) as u8,
    }
    bytes
}

/// A whole number at the end of its range, in either order of bytes.
fn extreme(bytes: &mut [u8], dice: &mut Dice) {
    let width = [1, 2, 4, 8][dice.roll(4)].min(bytes.len());
    let value = [0u64, 1, u64::MAX, u64::MAX >> 1, 1 << 31, 0x7fff_ffff, 1 << 40, 0xffff][dice.roll(8)];
    let (little, big) = (value.to_le_bytes(), value.to_be_bytes());
    if dice.roll(2) == 0 {
        bytes[..width].copy_from_slice(&little[..width]);
    } else {
        bytes[..width].copy_from_slice(&big[8 - width..]);
    }
}

fn in_text(whole: &str, others: &[Vec<u8>], dice: &mut Dice) -> String {
    let mut lines: Vec<String> = whole.lines().map(str::to_string).collect();
    if lines.is_empty() {
        return dice.pick(VALUES).to_string();
    }
    let at = dice.roll(lines.len());
    match dice.roll(10) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let other = dice.roll(lines.len());
            lines.swap(at, other);
        }
        3 => lines[at] = with_value(&lines[at], dice.pick(VALUES)),
        4 => lines[at] = with_value(&lines[at], dice.pick(NUMBERS)),
        5 | 6 => lines[at] = with_number(&lines[at], dice),
        7 => lines[at] = renamed(&lines[at], dice),
        8 => {
            let other = String::from_utf8_lossy(&others[dice.roll(others.len())]).into_owned();
            let foreign: Vec<&str> = other.lines().collect();
            if !foreign.is_empty() {
                lines.insert(at, foreign[dice.roll(foreign.len())].to_string());
            }
        }
        _ => {
            let from = dice.roll(lines.len());
            let block = lines[at.min(from)..at.max(from)].iter().take(40).cloned().collect::<Vec<_>>();
            lines.splice(at..at, block);
        }
    }
    lines.join("\n")
}

/// `key = value` with another value; other lines get it at their end.
fn with_value(line: &str, value: &str) -> String {
    match line.split_once('=') {
        Some((key, _)) => format!("{key}= {value}"),
        None => format!("{line} {value}"),
    }
}

/// One of the numbers of a line made extreme.
fn with_number(line: &str, dice: &mut Dice) -> String {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let starts: Vec<usize> = line
        .char_indices()
        .filter(|(i, c)| c.is_ascii_digit() && !line[..*i].ends_with(is_part))
        .map(|(i, _)| i)
        .collect();
    if starts.is_empty() {
        return with_value(line, dice.pick(NUMBERS));
    }
    let start = starts[dice.roll(starts.len())];
    let end = line[start..].find(|c: char| !is_part(c)).map_or(line.len(), |n| start + n);
    format!("{}{}{}", &line[..start], dice.pick(NUMBERS), &line[end..])
}

/// A key with another ending, or a table with another name.
fn renamed(line: &str, dice: &mut Dice) -> String {
    let endings = ["_m", "_mm", "_kg", "_deg", "_n_per_m", "x", "", ".a", "."];
    match line.split_once('=') {
        Some((key, value)) => format!("{}{} = {value}", key.trim_end(), dice.pick(&endings)),
        None => line.replacen(']', dice.pick(&["x]", ".y]", "", "]]", ".\"\u{1b}\"]"]), 1),
    }
}
