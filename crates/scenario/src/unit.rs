//! Units at the boundary: `"8250 N/m"`, `"12 deg"`, `"70 m/h"` become SI numbers with a dimension; the
//! program itself uses only SI.
//!
//! Angle is a dimension of its own, so that a torsion spring (N m/rad) is not confused with a torque (N m).

use touchdown_math::Elementary;

/// Exponents of metre, kilogram, second, radian.
pub(crate) type Exponents = [i8; 4];

/// A physical dimension with its SI unit.
#[derive(Debug, PartialEq, Eq)]
pub struct Dim {
    /// In words.
    pub name: &'static str,
    /// Exponents of metre, kilogram, second, radian.
    pub exponents: [i8; 4],
    /// The SI unit as in texts.
    pub unit: &'static str,
    /// The SI unit as the end of a key.
    pub suffix: &'static str,
    /// Common units, for messages.
    pub examples: &'static str,
}

impl Dim {
    /// "a length", "an angle".
    pub fn with_article(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
        format!("{article} {}", self.name)
    }
}

macro_rules! dims {
    ($($id:ident = $name:literal, $exps:expr, $unit:literal, $suffix:literal, $examples:literal;)*) => {
        $(#[doc = $name] pub const $id: Dim =
            Dim { name: $name, exponents: $exps, unit: $unit, suffix: $suffix, examples: $examples };)*
        /// Every dimension that a key can have.
        pub static DIMENSIONS: &[&Dim] = &[$(&$id),*];
    };
}

dims! {
    NUMBER = "pure number", [0, 0, 0, 0], "", "", "a plain number, %";
    LENGTH = "length", [1, 0, 0, 0], "m", "m", "m, mm, cm, km";
    MASS = "mass", [0, 1, 0, 0], "kg", "kg", "kg, g, t";
    TIME = "time", [0, 0, 1, 0], "s", "s", "s, ms, us, min, h";
    ANGLE = "angle", [0, 0, 0, 1], "rad", "rad", "deg, rad, mrad, rev";
    SPEED = "speed", [1, 0, -1, 0], "m/s", "m_per_s", "m/s, mm/s, m/h, km/h";
    SPIN = "angular speed", [0, 0, -1, 1], "rad/s", "rad_per_s", "rad/s, deg/s, rpm";
    SLOWNESS = "time per length", [-1, 0, 1, 0], "s/m", "s_per_m", "s/m";
    ACCELERATION = "acceleration", [1, 0, -2, 0], "m/s^2", "m_per_s2", "m/s^2";
    FREQUENCY = "frequency", [0, 0, -1, 0], "Hz", "hz", "Hz, kHz, 1/s";
    FORCE = "force", [1, 1, -2, 0], "N", "n", "N, mN, kN";
    IMPULSE = "impulse", [1, 1, -1, 0], "N s", "n_s", "N s, kN s";
    TORQUE = "torque", [2, 1, -2, 0], "N m", "n_m", "N m, kN m, N mm";
    STIFFNESS = "stiffness", [0, 1, -2, 0], "N/m", "n_per_m", "N/m, N/mm, kN/m";
    TORSION = "torsional stiffness", [2, 1, -2, -1], "N m/rad", "n_m_per_rad", "N m/rad, N m/deg";
    DAMPING = "damping", [0, 1, -1, 0], "N s/m", "n_s_per_m", "N s/m, kN s/m";
    TORSION_DAMPING = "torsional damping", [2, 1, -1, -1], "N m s/rad", "n_m_s_per_rad", "N m s/rad, N m s/deg";
    ANGULAR_MOMENTUM = "angular momentum", [2, 1, -1, 0], "N m s", "n_m_s", "N m s";
    CORNERING = "force per angle", [1, 1, -2, -1], "N/rad", "n_per_rad", "N/rad, N/deg";
    RIGIDITY = "bending stiffness", [3, 1, -2, 0], "N m^2", "n_m2", "N m^2, kN m^2";
    INERTIA = "moment of inertia", [2, 1, 0, 0], "kg m^2", "kg_m2", "kg m^2, g mm^2";
    ATTRACTION = "gravitational parameter", [3, 0, -2, 0], "m^3/s^2", "m3_per_s2", "m^3/s^2, km^3/s^2";
    PRESSURE = "pressure", [-1, 1, -2, 0], "Pa", "pa", "Pa, kPa, MPa";
    SOIL_STIFFNESS = "pressure per length", [-2, 1, -2, 0], "Pa/m", "pa_per_m", "Pa/m, kPa/mm";
    SOIL_DAMPING = "pressure per speed", [-2, 1, -1, 0], "Pa s/m", "pa_s_per_m", "Pa s/m, kPa s/m";
    AREAL_STIFFNESS = "stiffness per area", [-2, 1, -2, 0], "N/m^3", "n_per_m3", "N/m^3, MN/m^3";
    AREAL_DAMPING = "damping per area", [-2, 1, -1, 0], "N s/m^3", "n_s_per_m3", "N s/m^3, kN s/m^3";
    DENSITY = "density", [-3, 1, 0, 0], "kg/m^3", "kg_per_m3", "kg/m^3, g/cm^3";
    PITCH = "travel per turn", [1, 0, 0, -1], "m/rad", "m_per_rad", "m/rad, mm/rev";
    PITCH_INVERSE = "turn per travel", [-1, 0, 0, 1], "rad/m", "rad_per_m", "rad/m, rev/m";
    CURVATURE = "curvature", [-1, 0, 0, 0], "1/m", "per_m", "1/m, 1/mm";
}

/// A unit: SI value = number · numerator / denominator. Both are stored separately so that `10 mm` is exactly
/// 0.01 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    pub exponents: Exponents,
    pub numerator: f64,
    pub denominator: f64,
}

const PI: f64 = std::f64::consts::PI;

/// Names, exponents, numerator, denominator. Names are case-sensitive (mN is not MN).
#[rustfmt::skip]
const UNITS: &[(&str, Exponents, f64, f64)] = &[
    ("m", [1, 0, 0, 0], 1.0, 1.0), ("mm", [1, 0, 0, 0], 1.0, 1e3), ("cm", [1, 0, 0, 0], 1.0, 1e2),
    ("km", [1, 0, 0, 0], 1e3, 1.0), ("um", [1, 0, 0, 0], 1.0, 1e6), ("µm", [1, 0, 0, 0], 1.0, 1e6),
    ("kg", [0, 1, 0, 0], 1.0, 1.0), ("g", [0, 1, 0, 0], 1.0, 1e3), ("t", [0, 1, 0, 0], 1e3, 1.0),
    ("s", [0, 0, 1, 0], 1.0, 1.0), ("ms", [0, 0, 1, 0], 1.0, 1e3), ("us", [0, 0, 1, 0], 1.0, 1e6),
    ("µs", [0, 0, 1, 0], 1.0, 1e6), ("min", [0, 0, 1, 0], 60.0, 1.0), ("h", [0, 0, 1, 0], 3600.0, 1.0),
    ("rad", [0, 0, 0, 1], 1.0, 1.0), ("mrad", [0, 0, 0, 1], 1.0, 1e3), ("deg", [0, 0, 0, 1], PI, 180.0),
    ("°", [0, 0, 0, 1], PI, 180.0), ("rev", [0, 0, 0, 1], 2.0 * PI, 1.0), ("rpm", [0, 0, -1, 1], PI, 30.0),
    ("N", [1, 1, -2, 0], 1.0, 1.0), ("mN", [1, 1, -2, 0], 1.0, 1e3), ("kN", [1, 1, -2, 0], 1e3, 1.0),
    ("MN", [1, 1, -2, 0], 1e6, 1.0), ("Nm", [2, 1, -2, 0], 1.0, 1.0), ("kNm", [2, 1, -2, 0], 1e3, 1.0),
    ("J", [2, 1, -2, 0], 1.0, 1.0), ("Hz", [0, 0, -1, 0], 1.0, 1.0), ("kHz", [0, 0, -1, 0], 1e3, 1.0),
    ("Pa", [-1, 1, -2, 0], 1.0, 1.0), ("kPa", [-1, 1, -2, 0], 1e3, 1.0), ("MPa", [-1, 1, -2, 0], 1e6, 1.0),
    ("W", [2, 1, -3, 0], 1.0, 1.0), ("%", [0, 0, 0, 0], 1.0, 1e2), ("1", [0, 0, 0, 0], 1.0, 1.0),
];

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UnitError {
    NoNumber,
    UnknownUnit(String),
    Malformed,
}

/// Reads `"8250 N/m"` into an SI value and its exponents.
pub(crate) fn parse_quantity(text: &str) -> Result<(f64, Exponents), UnitError> {
    let text = text.trim();
    let cut = number_length(text);
    let number: f64 = text[..cut].replace('_', "").parse().map_err(|_| UnitError::NoNumber)?;
    let unit = parse_unit(text[cut..].trim())?;
    Ok((number * unit.numerator / unit.denominator, unit.exponents))
}

/// Length of the leading decimal number, so that `"12deg"` and `"1e-3 m"` are both divided correctly.
fn number_length(text: &str) -> usize {
    let b = text.as_bytes();
    let digits =
        |from: usize| from + b[from..].iter().take_while(|c| c.is_ascii_digit() || **c == b'_').count();
    let mut at = usize::from(matches!(b.first(), Some(b'+' | b'-')));
    at = digits(at);
    if b.get(at) == Some(&b'.') {
        at = digits(at + 1);
    }
    if matches!(b.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(b.get(at + 1), Some(b'+' | b'-')));
        let end = digits(at + 1 + sign);
        if end > at + 1 + sign {
            at = end;
        }
    }
    at
}

/// Reads `N m/rad`, `m/s^2`, `kg*m²`, `N/(deg m^2)`. A slash applies only to the next factor or bracket.
pub(crate) fn parse_unit(text: &str) -> Result<Unit, UnitError> {
    let mut unit = Unit { exponents: [0; 4], numerator: 1.0, denominator: 1.0 };
    let (mut sign, mut in_bracket) = (1i32, false);
    let mut rest = text.trim_start();
    // Longer texts are not units; the bound limits the exponents.
    if text.len() > 60 {
        return Err(UnitError::Malformed);
    }
    while let Some(c) = rest.chars().next() {
        match c {
            '/' if !in_bracket => sign = -1,
            '(' if !in_bracket => in_bracket = true,
            ')' if in_bracket => (in_bracket, sign) = (false, 1),
            '*' | '·' | ' ' => {}
            _ => {
                let (name, power, length) = factor(rest)?;
                apply(&mut unit, name, sign * power)?;
                rest = &rest[length..];
                if !in_bracket {
                    sign = 1;
                }
                continue;
            }
        }
        rest = &rest[c.len_utf8()..];
    }
    if in_bracket || sign < 0 { Err(UnitError::Malformed) } else { Ok(unit) }
}

/// One factor at the start of `text`: its name, its power and its length in bytes.
fn factor(text: &str) -> Result<(&str, i32, usize), UnitError> {
    let named = text.find(|c: char| !(c.is_alphabetic() || c == '°' || c == '%')).unwrap_or(text.len());
    let named = if named == 0 && text.starts_with('1') { 1 } else { named };
    if named == 0 {
        return Err(UnitError::Malformed);
    }
    let after = &text[named..];
    let (power, used) = match after.chars().next() {
        Some('²') => (2, '²'.len_utf8()),
        Some('³') => (3, '³'.len_utf8()),
        Some(d @ '1'..='4') => (d as i32 - '0' as i32, 1),
        Some('^') => match after[1..].chars().next() {
            Some(d @ '1'..='4') => (d as i32 - '0' as i32, 2),
            Some('-') => match after[2..].chars().next() {
                Some(d @ '1'..='4') => ('0' as i32 - d as i32, 3),
                _ => return Err(UnitError::Malformed),
            },
            _ => return Err(UnitError::Malformed),
        },
        _ => (1, 0),
    };
    Ok((&text[..named], power, named + used))
}

fn apply(unit: &mut Unit, name: &str, power: i32) -> Result<(), UnitError> {
    let Some((_, exponents, num, den)) = UNITS.iter().find(|u| u.0 == name) else {
        return Err(UnitError::UnknownUnit(name.into()));
    };
    for (total, e) in unit.exponents.iter_mut().zip(exponents) {
        *total += e * power as i8;
    }
    let (up, down) = if power >= 0 { (num, den) } else { (den, num) };
    unit.numerator *= up.whole_power(power.abs());
    unit.denominator *= down.whole_power(power.abs());
    Ok(())
}

/// Every unit name, for suggestions.
pub(crate) fn unit_names() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|u| u.0).filter(|n| *n != "1")
}

/// The unit of given exponents, for messages.
pub(crate) fn describe(exponents: Exponents) -> String {
    match DIMENSIONS.iter().find(|d| d.exponents == exponents) {
        Some(d) if d.unit.is_empty() => "a pure number".into(),
        Some(d) => format!("{} ({})", d.with_article(), d.unit),
        None => {
            let names = ["m", "kg", "s", "rad"];
            let parts: Vec<String> = (0..4)
                .filter(|i| exponents[*i] != 0)
                .map(|i| {
                    if exponents[i] == 1 { names[i].into() } else { format!("{}^{}", names[i], exponents[i]) }
                })
                .collect();
            parts.join(" ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text with a unit means its SI value, to the last bit where the unit is a power of ten.
    #[test]
    fn quantities_convert() {
        let si = |text: &str| parse_quantity(text).map(|q| q.0);
        assert_eq!(si("8250 N/m"), Ok(8250.0));
        assert_eq!(si("10 mm"), Ok(0.01));
        assert_eq!(si("70 m/h"), Ok(70.0 / 3600.0));
        assert_eq!(si("12deg"), Ok(12.0 * PI / 180.0));
        assert_eq!(si("3 min"), Ok(180.0));
        assert_eq!(si("-1.5e-3 kN m"), Ok(-1.5));
        assert_eq!(si("850 N/(deg)"), Ok(850.0 * 180.0 / PI));
        assert_eq!(parse_quantity("1 kg m^2").map(|q| q.1), Ok(INERTIA.exponents));
        assert_eq!(parse_quantity("1 N m s/rad").map(|q| q.1), Ok(TORSION_DAMPING.exponents));
        assert_eq!(parse_quantity("9.81 m/s²").map(|q| q.1), Ok(ACCELERATION.exponents));
    }

    /// Invalid quantities are refused, never guessed.
    #[test]
    fn nonsense_is_refused() {
        assert_eq!(parse_quantity("fast"), Err(UnitError::NoNumber));
        assert_eq!(parse_quantity("3 furlongs"), Err(UnitError::UnknownUnit("furlongs".into())));
        assert_eq!(parse_quantity("3 m/"), Err(UnitError::Malformed));
        assert_eq!(parse_quantity("3 m^x"), Err(UnitError::Malformed));
        assert!(parse_quantity(&format!("1 {}", "m ".repeat(200))).is_err());
    }

    /// Every dimension's own unit text has that dimension and the value one.
    #[test]
    fn dimensions_agree_with_their_units() {
        for dim in DIMENSIONS.iter().filter(|d| !d.unit.is_empty()) {
            assert_eq!(parse_quantity(&format!("1 {}", dim.unit)), Ok((1.0, dim.exponents)), "{}", dim.name);
            for example in dim.examples.split(", ") {
                assert_eq!(
                    parse_quantity(&format!("1 {example}")).map(|q| q.1),
                    Ok(dim.exponents),
                    "{example}"
                );
            }
        }
    }
}
