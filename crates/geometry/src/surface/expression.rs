//! Ground as a formula z = f(x, y): text ⇒ a list of operations in the order of execution ⇒ value with exact
//! first and second derivatives. Evaluation allocates nothing.
//!
//! Numbers, `x`, `y`, `pi`, `+ - * / ^`, parentheses, and the functions of [`FUNCTIONS`]. Powers bind strongest and from the right, then signs: −x^2
//! is −(x²).

use super::HeightJet;
use std::sync::Arc;
use touchdown_math::Elementary;

/// Size of the evaluation stack; deeper nesting is refused.
const DEPTH: usize = 32;

/// A formula of x and y.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: Arc<str>,
    tape: Arc<[Op]>,
}

/// Error of a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {what}")]
pub struct ExpressionError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What is wrong, and what is allowed.
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Number(f64),
    X,
    Y,
    Add,
    Subtract,
    Multiply,
    Divide,
    /// To a constant power that is a small whole number, also of negative bases.
    Whole(i32),
    Power,
    Negate,
    /// A function by its place in the table.
    Call(usize),
}

/// A function with its first two derivatives.
type Function = fn(f64) -> [f64; 3];

/// Names of the functions, each with its value and first two derivatives.
pub const FUNCTIONS: [(&str, Function); 14] = [
    ("sin", |x| [x.sine(), x.cosine(), -x.sine()]),
    ("cos", |x| [x.cosine(), -x.sine(), -x.cosine()]),
    ("tan", |x| {
        let t = x.tangent();
        [t, 1.0 + t * t, 2.0 * t * (1.0 + t * t)]
    }),
    ("asin", |x| {
        let r = 1.0 - x * x;
        [x.arcsine(), 1.0 / r.sqrt(), x / (r * r.sqrt())]
    }),
    ("acos", |x| {
        let r = 1.0 - x * x;
        [x.arccosine(), -1.0 / r.sqrt(), -x / (r * r.sqrt())]
    }),
    ("atan", |x| {
        let r = 1.0 / (1.0 + x * x);
        [x.arctangent(), r, -2.0 * x * r * r]
    }),
    ("sinh", |x| [x.hyperbolic_sine(), x.hyperbolic_cosine(), x.hyperbolic_sine()]),
    ("cosh", |x| [x.hyperbolic_cosine(), x.hyperbolic_sine(), x.hyperbolic_cosine()]),
    ("tanh", |x| {
        let t = x.hyperbolic_tangent();
        [t, 1.0 - t * t, -2.0 * t * (1.0 - t * t)]
    }),
    ("exp", |x| [x.exponential(); 3]),
    ("log", |x| [x.natural_log(), 1.0 / x, -1.0 / (x * x)]),
    ("sqrt", |x| {
        let r = x.sqrt();
        [r, 0.5 / r, -0.25 / (x * r)]
    }),
    ("abs", |x| [x.abs(), if x == 0.0 { 0.0 } else { x.signum() }, 0.0]),
    ("square", |x| [x * x, 2.0 * x, 2.0]),
];

/// A value with its derivatives: ∂x, ∂y, ∂xx, ∂xy, ∂yy.
#[derive(Clone, Copy, Debug)]
struct Jet {
    v: f64,
    g: [f64; 2],
    h: [f64; 3],
}

impl Jet {
    const ZERO: Jet = Jet { v: 0.0, g: [0.0; 2], h: [0.0; 3] };

    fn constant(v: f64) -> Jet {
        Jet { v, ..Jet::ZERO }
    }

    fn linear(self, a: f64, o: &Jet, b: f64) -> Jet {
        Jet {
            v: a * self.v + b * o.v,
            g: [a * self.g[0] + b * o.g[0], a * self.g[1] + b * o.g[1]],
            h: [0, 1, 2].map(|k| a * self.h[k] + b * o.h[k]),
        }
    }

    fn times(self, o: &Jet) -> Jet {
        let second = |k: usize, i: usize, j: usize| {
            self.h[k] * o.v + self.g[i] * o.g[j] + self.g[j] * o.g[i] + self.v * o.h[k]
        };
        Jet {
            v: self.v * o.v,
            g: [0, 1].map(|i| self.g[i] * o.v + self.v * o.g[i]),
            h: [second(0, 0, 0), second(1, 0, 1), second(2, 1, 1)],
        }
    }

    /// A function of it with its derivatives f, f', f''.
    fn through(self, [f, d, dd]: [f64; 3]) -> Jet {
        let second = |k: usize, i: usize, j: usize| d * self.h[k] + dd * self.g[i] * self.g[j];
        Jet { v: f, g: self.g.map(|g| d * g), h: [second(0, 0, 0), second(1, 0, 1), second(2, 1, 1)] }
    }
}

impl Expression {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        let characters: Vec<char> = text.chars().collect();
        let mut parser = Parser { text: &characters, at: 0, tape: Vec::new(), depth: 0, open: 0 };
        parser.sum()?;
        parser.skip();
        match parser.peek() {
            None => Ok(Expression { text: text.into(), tape: parser.tape.into() }),
            Some(')') => Err(parser.error("')' without a '('")),
            Some(c) => {
                Err(parser.error(&format!("expected an operator (+ - * / ^) or the end, found '{c}'")))
            }
        }
    }

    /// The text of the formula.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Value and derivatives at a place; not finite where the formula has none.
    pub fn jet(&self, x: f64, y: f64) -> HeightJet {
        let mut stack = [Jet::ZERO; DEPTH];
        let mut top = 0;
        for op in self.tape.iter() {
            let binary = |stack: &mut [Jet; DEPTH], f: fn(Jet, &Jet) -> Jet| {
                stack[top - 2] = f(stack[top - 2], &stack[top - 1]);
                top - 1
            };
            match op {
                Op::Number(v) => {
                    stack[top] = Jet::constant(*v);
                    top += 1;
                }
                Op::X => {
                    stack[top] = Jet { v: x, g: [1.0, 0.0], h: [0.0; 3] };
                    top += 1;
                }
                Op::Y => {
                    stack[top] = Jet { v: y, g: [0.0, 1.0], h: [0.0; 3] };
                    top += 1;
                }
                Op::Add => top = binary(&mut stack, |a, b| a.linear(1.0, b, 1.0)),
                Op::Subtract => top = binary(&mut stack, |a, b| a.linear(1.0, b, -1.0)),
                Op::Multiply => top = binary(&mut stack, |a, b| a.times(b)),
                Op::Divide => {
                    top = binary(&mut stack, |a, b| {
                        let r = 1.0 / b.v;
                        let quotient = a.times(&b.through([r, -r * r, 2.0 * r * r * r]));
                        Jet { v: a.v / b.v, ..quotient }
                    });
                }
                Op::Whole(n) => {
                    let base = stack[top - 1];
                    let (power, n) = (|k: i32| base.v.whole_power(k), *n);
                    let factor = f64::from(n);
                    // Written so that 0⁰ and its derivatives stay finite.
                    let first = if n == 0 { 0.0 } else { factor * power(n - 1) };
                    let second = if n == 0 || n == 1 { 0.0 } else { factor * (factor - 1.0) * power(n - 2) };
                    stack[top - 1] = base.through([power(n), first, second]);
                }
                Op::Power => {
                    top = binary(&mut stack, |a, b| {
                        let log = a.through([a.v.natural_log(), 1.0 / a.v, -1.0 / (a.v * a.v)]);
                        let exponent = b.times(&log);
                        exponent.through([a.v.power(b.v); 3])
                    });
                }
                Op::Negate => stack[top - 1] = stack[top - 1].linear(-1.0, &Jet::ZERO, 0.0),
                Op::Call(f) => stack[top - 1] = stack[top - 1].through(FUNCTIONS[*f].1(stack[top - 1].v)),
            }
        }
        let Jet { v, g, h } = stack[0];
        HeightJet { z: v, gradient: g, hessian: h }
    }
}

struct Parser<'a> {
    text: &'a [char],
    at: usize,
    tape: Vec<Op>,
    /// Numbers on the stack so far.
    depth: usize,
    /// Parentheses, powers and signs that are open.
    open: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn skip(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn error(&self, what: &str) -> ExpressionError {
        ExpressionError { column: self.at + 1, what: what.into() }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip();
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn push(&mut self, op: Op) -> Result<(), ExpressionError> {
        match op {
            Op::Number(_) | Op::X | Op::Y => self.depth += 1,
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power => self.depth -= 1,
            Op::Whole(_) | Op::Negate | Op::Call(_) => {}
        }
        self.tape.push(op);
        if self.depth > DEPTH { Err(self.error("nested too deeply; simplify the formula")) } else { Ok(()) }
    }

    fn sum(&mut self) -> Result<(), ExpressionError> {
        self.product()?;
        loop {
            let op = if self.take('+') {
                Op::Add
            } else if self.take('-') {
                Op::Subtract
            } else {
                return Ok(());
            };
            self.product()?;
            self.push(op)?;
        }
    }

    fn product(&mut self) -> Result<(), ExpressionError> {
        self.signed()?;
        loop {
            let op = if self.take('*') {
                if self.peek() == Some('*') {
                    return Err(self.error("powers are written with '^', not '**'"));
                }
                Op::Multiply
            } else if self.take('/') {
                Op::Divide
            } else {
                return Ok(());
            };
            self.signed()?;
            self.push(op)?;
        }
    }

    fn signed(&mut self) -> Result<(), ExpressionError> {
        self.open += 1;
        // Recursion is limited like the stack of numbers.
        if self.open > 4 * DEPTH {
            return Err(self.error("nested too deeply; simplify the formula"));
        }
        if self.take('-') {
            self.signed()?;
            self.push(Op::Negate)?;
        } else if self.take('+') {
            self.signed()?;
        } else {
            self.power()?;
        }
        self.open -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), ExpressionError> {
        self.atom()?;
        if self.take('^') {
            let start = self.tape.len();
            self.signed()?;
            let whole = match self.tape[start..] {
                [Op::Number(n)] => whole(n),
                [Op::Number(n), Op::Negate] => whole(-n),
                _ => None,
            };
            match whole {
                Some(n) => {
                    self.tape.truncate(start);
                    self.depth -= 1;
                    self.push(Op::Whole(n))?;
                }
                None => self.push(Op::Power)?,
            }
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), ExpressionError> {
        self.skip();
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.sum()?;
                if self.take(')') { Ok(()) } else { Err(self.error("expected ')'")) }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.name(),
            Some(c) => Err(self.error(&format!("expected a number, x, y, a function or '(', found '{c}'"))),
            None => Err(self.error("expected a number, x, y, a function or '(', found the end")),
        }
    }

    fn number(&mut self) -> Result<(), ExpressionError> {
        let start = self.at;
        let digits = |p: &mut Self| {
            while p.peek().is_some_and(|c| c.is_ascii_digit() || c == '.') {
                p.at += 1;
            }
        };
        digits(self);
        if matches!(self.peek(), Some('e' | 'E')) {
            let mark = self.at;
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            if self.peek().is_some_and(|c| c.is_ascii_digit()) { digits(self) } else { self.at = mark }
        }
        let text: String = self.text[start..self.at].iter().collect();
        match text.parse::<f64>() {
            Ok(v) if v.is_finite() => self.push(Op::Number(v)),
            _ => {
                self.at = start;
                Err(self.error(&format!("'{text}' is no finite number")))
            }
        }
    }

    fn name(&mut self) -> Result<(), ExpressionError> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.at += 1;
        }
        let name: String = self.text[start..self.at].iter().collect();
        match name.as_str() {
            "x" => return self.push(Op::X),
            "y" => return self.push(Op::Y),
            "pi" => return self.push(Op::Number(std::f64::consts::PI)),
            _ => {}
        }
        let Some(function) = FUNCTIONS.iter().position(|(known, _)| *known == name) else {
            self.at = start;
            let known: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
            return Err(self.error(&format!("unknown name '{name}'; known: x, y, pi, {}", known.join(", "))));
        };
        if !self.take('(') {
            return Err(self.error(&format!("expected '(' after '{name}'")));
        }
        self.sum()?;
        if !self.take(')') {
            return Err(self.error("expected ')'"));
        }
        self.push(Op::Call(function))
    }
}

/// A number as a small whole one.
fn whole(n: f64) -> Option<i32> {
    (n.fract() == 0.0 && n.abs() <= 64.0).then_some(n as i32)
}
