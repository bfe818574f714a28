//! Formulas: values, derivatives, errors.

use super::*;
use proptest::prelude::*;

fn value(text: &str, x: f64, y: f64) -> f64 {
    Expression::parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).jet(x, y).z
}

/// Operators bind as in mathematics.
#[test]
fn formulas_mean_what_they_say() {
    let (x, y) = (0.7f64, -1.3f64);
    let cases = [
        ("1 + 2*x - y/4", 1.0 + 2.0 * x - y / 4.0),
        ("-x^2", -(x * x)),
        ("2^3^2", 512.0),
        ("x - y - 1", x - y - 1.0),
        ("8/4/2", 1.0),
        ("2*-x", -2.0 * x),
        ("(x + y)*(x - y)", (x + y) * (x - y)),
        ("sin(1.3*x)*cos(0.9*y)", (1.3 * x).sin() * (0.9 * y).cos()),
        ("0.2*x^2 + 0.2*y^2", 0.2 * x * x + 0.2 * y * y),
        ("y^3", y * y * y),
        ("x^y", x.powf(y)),
        ("x^-2", x.powi(-2)),
        ("sqrt(x)+log(x)+exp(y)+abs(y)", x.sqrt() + x.ln() + y.exp() + y.abs()),
        ("tanh(x)+atan(y)+tan(x)", x.tanh() + y.atan() + x.tan()),
        ("1.5e-3*x + 2E2 + .5", 1.5e-3 * x + 200.5),
        ("pi", std::f64::consts::PI),
        ("0^0 + x^0", 2.0),
    ];
    for (text, expected) in cases {
        let found = value(text, x, y);
        assert!((found - expected).abs() < 1e-14 * (1.0 + expected.abs()), "{text}: {found} {expected}");
    }
}

/// All functions and operators have the derivatives they should (central differences).
#[test]
fn derivatives_are_exact() {
    for (name, _) in super::super::expression::FUNCTIONS {
        let ground = HeightSurface::new(HeightForm::Expression(
            Expression::parse(&format!("{name}(0.5 + 0.3*x - 0.2*y*x)")).expect("valid"),
        ));
        check_jet(&ground, 0.3, 0.4, 1.0);
    }
    for text in ["(1 + x)^2.5", "(1 + x^2)^(y + 0.5)", "x/(1 + y^2)", "x^3*y^4 - 2/x", "-(x*y)^-3", "2^x"] {
        let ground = HeightSurface::new(HeightForm::Expression(Expression::parse(text).expect("valid")));
        check_jet(&ground, 0.6, 0.7, 1.0);
    }
    let ground = HeightSurface::new(HeightForm::Expression(Expression::parse("sqrt(x)").expect("valid")));
    assert_eq!(ground.jet(-1.0, 0.0), Err(crate::Missing::Hole));
}

/// Errors point at the column and say what is allowed.
#[test]
fn errors_point_at_the_column() {
    let cases = [
        ("", 1, "found the end"),
        ("x +", 4, "found the end"),
        ("x + * y", 5, "found '*'"),
        ("2 x", 3, "expected an operator"),
        ("(x + 1", 7, "expected ')'"),
        ("x)", 2, "without a '('"),
        ("sine(x)", 1, "unknown name 'sine'; known: x, y, pi, sin"),
        ("sin x", 5, "expected '(' after 'sin'"),
        ("x**2", 3, "written with '^'"),
        ("1.2.3", 1, "no finite number"),
        ("1e999", 1, "no finite number"),
        ("x # y", 3, "found '#'"),
    ];
    for (text, column, what) in cases {
        let error = Expression::parse(text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.to_string().contains(what), "{text}: {error}");
    }
    for deep in ["(".repeat(100_000), "-".repeat(100_000), "2^".repeat(100_000), "1+(".repeat(1000)] {
        assert!(Expression::parse(&deep).is_err());
    }
}

proptest! {
    /// No text makes the reader or the evaluation panic.
    #[test]
    fn any_text_is_read_or_refused(text in "[-+*/^() xy0-9.episncoqrt]{0,40}") {
        if let Ok(expression) = Expression::parse(&text) {
            let _ = expression.jet(0.3, -0.7);
        }
    }
}
