//! The syntax of sequences: "NAME = VALUE", "PHASE after 60 s", "PHASE when (a.b_m < 2 mm and not c.d == 1)
//! for 0.2 s or abs(e.f_n) > 5 N".
//!
//! `for` applies to the item directly before it: a single comparison, or an expression in brackets.

use crate::unit::{DIMENSIONS, UnitError, parse_quantity};
use touchdown_sim::description::{Condition, Relation};

/// A value that is assigned to something.
pub(super) struct Assigned {
    pub name: String,
    /// SI, or a plain number.
    pub value: f64,
    /// Its unit as printed.
    pub unit: Option<&'static str>,
}

/// A transition to another phase.
#[derive(Debug)]
pub(super) struct Way {
    pub phase: String,
    pub when: Condition,
    /// The condition as text.
    pub condition: String,
}

/// Maximum depth of brackets.
const DEEPEST: usize = 30;

/// "NAME = VALUE UNIT"; the error is the fault.
pub(super) fn assigned(text: &str) -> Result<Assigned, String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("must be NAME = VALUE, such as \"slide = 0.05 m/s\"".into());
    };
    let name = name.trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err("must begin with one name, such as \"slide = 0.05 m/s\"".into());
    }
    let (value, unit) = quantity(value.trim())?;
    Ok(Assigned { name: name.into(), value, unit })
}

/// "PHASE when CONDITION" or "PHASE after DURATION"; the error is the fault.
pub(super) fn way(text: &str) -> Result<Way, String> {
    let text = text.trim();
    let (phase, condition) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let condition = condition.trim();
    let words = condition.strip_prefix("when ").or(condition.starts_with("after ").then_some(condition));
    let Some(words) = words else {
        return Err("must be \"PHASE when CONDITION\" or \"PHASE after DURATION\"".into());
    };
    let mut reader = Reader { tokens: tokens(words), at: 0, depth: 0, bare: false };
    let when = reader.any()?;
    if reader.at < reader.tokens.len() {
        return Err(format!("has something behind its condition: {}", reader.rest()));
    }
    Ok(Way { phase: phase.into(), when, condition: condition.into() })
}

/// A number with or without unit: SI, and its unit as printed.
fn quantity(text: &str) -> Result<(f64, Option<&'static str>), String> {
    let (value, exponents) = parse_quantity(text).map_err(|error| match error {
        UnitError::NoNumber => format!("needs a number, found \"{text}\""),
        UnitError::UnknownUnit(unit) => format!("has an unknown unit, {unit}"),
        UnitError::Malformed => format!("has a unit that cannot be read, in \"{text}\""),
    })?;
    if !value.is_finite() {
        return Err(format!("needs a finite number, found \"{text}\""));
    }
    if exponents == [0; 4] {
        return Ok((value, None));
    }
    match DIMENSIONS.iter().find(|dim| dim.exponents == exponents) {
        Some(dim) => Ok((value, Some(dim.unit))),
        None => Err(format!("has a unit that nothing here is measured in, in \"{text}\"")),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Open,
    Close,
    Relation(Relation),
    Word(String),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let two = rest.get(..2).unwrap_or_default();
        let relation = match (two, c) {
            ("<=", _) => Some((Relation::AtMost, 2)),
            (">=", _) => Some((Relation::AtLeast, 2)),
            ("==", _) => Some((Relation::Equal, 2)),
            ("!=", _) => Some((Relation::Different, 2)),
            (_, '<') => Some((Relation::Less, 1)),
            (_, '>') => Some((Relation::Greater, 1)),
            _ => None,
        };
        let (token, length) = match (relation, c) {
            (Some((relation, length)), _) => (Some(Token::Relation(relation)), length),
            (None, '(') => (Some(Token::Open), 1),
            (None, ')') => (Some(Token::Close), 1),
            (None, c) if c.is_whitespace() => (None, c.len_utf8()),
            (None, c) => {
                let ends = |c: char| c.is_whitespace() || "()<>=!".contains(c);
                // A single = or ! becomes a token, which is an error wherever it stands.
                let length = rest[c.len_utf8()..].find(ends).map_or(rest.len(), |end| end + c.len_utf8());
                (Some(Token::Word(rest[..length].into())), length)
            }
        };
        out.extend(token);
        rest = &rest[length..];
    }
    out
}

const KEYWORDS: [&str; 5] = ["and", "or", "not", "for", "after"];

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Whether the last part was a comparison with `for` and without brackets.
    bare: bool,
}

impl Reader {
    fn next_is(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Word(w)) if w == word);
        self.at += usize::from(found);
        found
    }

    fn next_token(&mut self, token: &Token) -> bool {
        let found = self.tokens.get(self.at) == Some(token);
        self.at += usize::from(found);
        found
    }

    /// The remaining tokens as text.
    fn rest(&self) -> String {
        let word = |token: &Token| match token {
            Token::Open => "(".into(),
            Token::Close => ")".into(),
            Token::Relation(_) => "a comparison".into(),
            Token::Word(word) => word.clone(),
        };
        let rest: Vec<String> = self.tokens[self.at.min(self.tokens.len())..].iter().map(word).collect();
        if rest.is_empty() { "the end".into() } else { rest.join(" ") }
    }

    /// Tokens up to the next keyword or bracket: a number with its unit.
    fn quantity(&mut self) -> Result<(f64, Option<&'static str>), String> {
        let mut words = Vec::new();
        while let Some(Token::Word(word)) = self.tokens.get(self.at) {
            if KEYWORDS.contains(&word.as_str()) {
                break;
            }
            words.push(word.as_str());
            self.at += 1;
        }
        quantity(&words.join(" "))
    }

    fn duration(&mut self) -> Result<f64, String> {
        match self.quantity()? {
            (duration, Some("s")) if duration >= 0.0 => Ok(duration),
            _ => Err("needs a duration such as 0.2 s behind for and after".into()),
        }
    }

    fn any(&mut self) -> Result<Condition, String> {
        self.list("or", Self::all, Condition::Any)
    }

    fn all(&mut self) -> Result<Condition, String> {
        self.list("and", Self::one, Condition::All)
    }

    fn list(
        &mut self,
        word: &str,
        part: fn(&mut Self) -> Result<Condition, String>,
        of: fn(Vec<Condition>) -> Condition,
    ) -> Result<Condition, String> {
        self.bare = false;
        let mut parts = vec![part(self)?];
        let mut bare = self.bare;
        while self.next_is(word) {
            self.bare = false;
            parts.push(part(self)?);
            bare |= self.bare;
        }
        if bare && parts.len() > 1 {
            return Err(
                "has for behind a comparison among others: put brackets around what must hold for that long"
                    .into(),
            );
        }
        self.bare = bare;
        Ok(if parts.len() == 1 { parts.remove(0) } else { of(parts) })
    }

    fn one(&mut self) -> Result<Condition, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("has more than {DEEPEST} brackets within brackets"));
        }
        let made = if self.next_is("not") {
            Condition::Not(Box::new(self.one()?))
        } else if self.next_is("after") {
            Condition::After(self.duration()?)
        } else if self.next_token(&Token::Open) {
            let inner = self.any()?;
            if !self.next_token(&Token::Close) {
                return Err(format!("lacks a closing bracket before {}", self.rest()));
            }
            self.bare = false;
            self.held(inner)?
        } else {
            let compared = self.compare()?;
            let made = self.held(compared)?;
            self.bare = matches!(made, Condition::Held(..));
            made
        };
        self.depth -= 1;
        Ok(made)
    }

    /// The condition with a duration, if one follows.
    fn held(&mut self, condition: Condition) -> Result<Condition, String> {
        if self.next_is("for") {
            return Ok(Condition::Held(Box::new(condition), self.duration()?));
        }
        Ok(condition)
    }

    fn compare(&mut self) -> Result<Condition, String> {
        let magnitude = self.next_is("abs");
        if magnitude && !self.next_token(&Token::Open) {
            return Err("has abs without a bracket: abs(COLUMN)".into());
        }
        let name = match self.tokens.get(self.at) {
            Some(Token::Word(word)) if !KEYWORDS.contains(&word.as_str()) => word.clone(),
            _ => return Err(format!("needs the name of a column or signal before {}", self.rest())),
        };
        self.at += 1;
        if magnitude && !self.next_token(&Token::Close) {
            return Err("lacks the closing bracket of abs".into());
        }
        let Some(Token::Relation(relation)) = self.tokens.get(self.at) else {
            return Err(format!("needs one of <, <=, >, >=, ==, != behind {name}, found {}", self.rest()));
        };
        let relation = *relation;
        self.at += 1;
        let (value, unit) = self.quantity()?;
        Ok(Condition::Compare { name, magnitude, relation, value, unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(name: &str, value: f64, unit: Option<&'static str>) -> Condition {
        Condition::Compare { name: name.into(), magnitude: false, relation: Relation::Greater, value, unit }
    }

    /// `and` binds before `or`, `not` before both; units become SI, and `for` belongs to the brackets before it.
    #[test]
    fn conditions_mean_what_they_say() {
        let way = way("next when not a.x_m > 2 mm and b.y > 3 or (c.z_n > 1 kN) for 0.2 s").expect("sound");
        let held = Condition::Held(Box::new(above("c.z_n", 1000.0, Some("N"))), 0.2);
        let first = Condition::Not(Box::new(above("a.x_m", 0.002, Some("m"))));
        let both = Condition::All(vec![first, above("b.y", 3.0, None)]);
        assert_eq!((way.phase.as_str(), way.when), ("next", Condition::Any(vec![both, held])));
        let alone = super::way("p when abs(a.b) <= -2e-1 for 1 min").expect("sound").when;
        let inner = Condition::Compare {
            name: "a.b".into(),
            magnitude: true,
            relation: Relation::AtMost,
            value: -0.2,
            unit: None,
        };
        assert_eq!(alone, Condition::Held(Box::new(inner), 60.0));
        assert_eq!(super::way("gone after 60 s").expect("sound").when, Condition::After(60.0));
        let slide = assigned("rover/slide = -5 cm/s").expect("sound");
        assert_eq!((slide.name.as_str(), slide.value, slide.unit), ("rover/slide", -0.05, Some("m/s")));
    }

    /// Invalid conditions are refused with a reason, and nothing panics.
    #[test]
    fn nonsense_is_refused() {
        for (text, reason) in [
            ("next", "PHASE when CONDITION"),
            ("next when", "PHASE when CONDITION"),
            ("next when a", "needs one of <"),
            ("next when a > ", "needs a number"),
            ("next when a > 3 furlongs", "unknown unit"),
            ("next when (a > 3", "closing bracket"),
            ("next when a > 3 b < 2", "unknown unit"),
            ("next when a > 3) and b < 2", "behind its condition"),
            ("next when a > 3 and b < 2 for 1 s", "put brackets"),
            ("next when (b < 2 and a > 3 for 1 s)", "put brackets"),
            ("next when a > 3 for 2 m", "needs a duration"),
            ("next when abs a > 3", "abs"),
            ("next after 3", "needs a duration"),
            ("next when a = 3", "needs one of <"),
            ("next when and > 3", "needs the name"),
            ("next when é < ü", "needs a number"),
        ] {
            let said = way(text).expect_err(text);
            assert!(said.contains(reason), "{text}: {said}");
        }
        let deep = format!("next when {}a > 1{}", "(".repeat(40), ")".repeat(40));
        assert!(way(&deep).expect_err("deep").contains("brackets within brackets"));
        assert!(assigned("slide 3").is_err() && assigned("= 3").is_err() && assigned("a b = 3").is_err());
    }
}
