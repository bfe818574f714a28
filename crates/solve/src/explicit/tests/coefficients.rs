//! The published coefficients satisfy the order conditions: a mistyped digit fails here, not in a simulation.
//! Conditions: Hairer, Nørsett, Wanner I, sections II.2, II.5 and II.6.
//! Tolerances: coefficients reach 387, and sums of sixteen such terms round to about 1e-12.

use crate::explicit::tableau::{A, B, C, D, E3, E5, END, Row, STAGES, STAGES_DENSE};

const ROUNDING: f64 = 2e-12;

/// Σ coefficient · c^power.
fn moment(row: Row, power: i32) -> f64 {
    row.iter().map(|&(j, a)| a * C[j].powi(power)).sum()
}

fn assert_near(value: f64, target: f64, what: &str) {
    assert!((value - target).abs() <= ROUNDING, "{what}: {value} instead of {target}");
}

/// Every stage integrates a constant, every stage after the second a linear, from the sixth a cubic slope exactly.
#[test]
fn stages_have_their_order() {
    for s in 1..STAGES_DENSE {
        assert_near(moment(A[s], 0), C[s], &format!("row sum {s}"));
        let exact = match s {
            1 => 0,
            2 => 1,
            3..=4 => 2,
            _ => 3,
        };
        for q in 1..=exact {
            assert_near(
                moment(A[s], q),
                C[s].powi(q + 1) / f64::from(q + 1),
                &format!("stage {s}, power {q}"),
            );
        }
    }
}

/// The weights integrate polynomials up to degree 7 exactly, and no higher ones.
#[test]
fn weights_are_a_quadrature_of_order_eight() {
    for q in 1..=8 {
        assert_near(moment(B, q - 1), 1.0 / f64::from(q), &format!("order {q}"));
    }
    assert!((moment(B, 8) - 1.0 / 9.0).abs() > 1e-6);
}

/// The weights satisfy Σ b_i a_ij = b_j (1 − c_j), which carries the quadrature order over to nested terms.
#[test]
fn weights_satisfy_the_column_condition() {
    let weight = |j: usize| B.iter().find(|w| w.0 == j).map_or(0.0, |w| w.1);
    for (j, c) in C.iter().enumerate().take(STAGES) {
        let column: f64 =
            (j + 1..STAGES).map(|i| weight(i) * A[i].iter().find(|a| a.0 == j).map_or(0.0, |a| a.1)).sum();
        assert_near(column, weight(j) * (1.0 - c), &format!("column {j}"));
    }
}

/// The error weights vanish on polynomials that both solutions integrate, orders 5 and 3, and see the next one.
#[test]
fn error_weights_have_their_orders() {
    for (row, order) in [(E5, 5), (E3, 3)] {
        for power in 0..order {
            assert_near(moment(row, power), 0.0, &format!("error of order {order}, power {power}"));
        }
        assert!(moment(row, order).abs() > 1e-6, "error of order {order} is blind");
    }
}

/// The interpolant integrates polynomial slopes up to degree 6 exactly at every point of the step.
#[test]
fn interpolant_is_a_quadrature_of_order_seven() {
    for power in 0..=6 {
        let integral = |x: f64| x.powi(power + 1) / f64::from(power + 1);
        let rise = integral(1.0);
        let (first, last) = (C[0].powi(power), C[END].powi(power));
        let high: Vec<f64> = D.iter().map(|row| moment(row, power)).collect();
        for x in [0.125, 0.3, 0.5, 0.77, 0.9] {
            let r = 1.0 - x;
            let upper = high[0] + x * (high[1] + r * (high[2] + x * high[3]));
            let value = x * (rise + r * (first - rise + x * (2.0 * rise - first - last + r * upper)));
            assert_near(value, integral(x), &format!("power {power} at {x}"));
        }
    }
}
