//! Shape functions of the fully parameterised plate.

/// Functions of an element: how many nodal vectors it has.
pub const VECTORS: usize = 16;

/// Values of the 16 functions at a point, and their derivatives along x, y and z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// s_i.
    pub value: [f64; VECTORS],
    /// ∂s_i/∂x, ∂s_i/∂y, ∂s_i/∂z.
    pub slope: [[f64; VECTORS]; 3],
}

/// Shape functions at ξ = x/a, η = y/b in [0, 1] and ζ = z/t in [−½, ½]; sizes are a, b, t.
///
/// Samarini et al., Eq. (4), with ζ in s₄, s₈, s₁₂, s₁₆ where the paper has other letters. Four nodes
/// counter-clockwise from the origin, each with r, r_x, r_y, r_z.
pub fn shape(sizes: [f64; 3], [x, y, z]: [f64; 3]) -> Shape {
    let [a, b, t] = sizes;
    let mut s = Shape { value: [0.0; VECTORS], slope: [[0.0; VECTORS]; 3] };
    // At each corner the functions are products of lines and polynomials of the distances from that corner, u and v in [0, 1], with
    // directions p and q of ξ and η away from it.
    let corners =
        [(x, y, 1.0, 1.0), (1.0 - x, y, -1.0, 1.0), (1.0 - x, 1.0 - y, -1.0, -1.0), (x, 1.0 - y, 1.0, -1.0)];
    for (k, (u, v, p, q)) in corners.into_iter().enumerate() {
        let (cu, cv) = (1.0 - u, 1.0 - v);
        // s₁ = (1−u)(1−v)(1 + u + v − 2u² − 2v²)
        let bowl = 1.0 + u + v - 2.0 * u * u - 2.0 * v * v;
        let i = 4 * k;
        s.value[i] = cu * cv * bowl;
        s.slope[0][i] = p / a * cv * (cu * (1.0 - 4.0 * u) - bowl);
        s.slope[1][i] = q / b * cu * (cv * (1.0 - 4.0 * v) - bowl);
        // s₂ = ±a·u(1−u)²(1−v)
        s.value[i + 1] = p * a * u * cu * cu * cv;
        s.slope[0][i + 1] = cv * cu * (1.0 - 3.0 * u);
        s.slope[1][i + 1] = -p * q * a / b * u * cu * cu;
        // s₃ = ±b·v(1−v)²(1−u)
        s.value[i + 2] = q * b * v * cv * cv * cu;
        s.slope[0][i + 2] = -p * q * b / a * v * cv * cv;
        s.slope[1][i + 2] = cu * cv * (1.0 - 3.0 * v);
        // s₄ = t·ζ(1−u)(1−v)
        s.value[i + 3] = t * z * cu * cv;
        s.slope[0][i + 3] = -p * t / a * z * cv;
        s.slope[1][i + 3] = -q * t / b * z * cu;
        s.slope[2][i + 3] = cu * cv;
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions are those of Samarini et al., Eq. (4), corrected; slopes are their derivatives.
    #[test]
    fn functions_are_the_printed_ones() {
        let (a, b, t) = (1.3, 0.7, 0.05);
        let printed = |xi: f64, eta: f64, zeta: f64| -> [f64; 16] {
            let (x, y) = (xi - 1.0, eta - 1.0);
            let (xx, yy) = (2.0 * xi * xi, 2.0 * eta * eta);
            [
                -x * y * (yy - eta + xx - xi - 1.0),
                -a * xi * x * x * y,
                -b * eta * y * y * x,
                t * zeta * x * y,
                xi * (yy - eta - 3.0 * xi + xx) * y,
                -a * xi * xi * x * y,
                b * xi * eta * y * y,
                -t * zeta * xi * y,
                -xi * eta * (1.0 - 3.0 * xi - 3.0 * eta + yy + xx),
                a * xi * xi * eta * x,
                b * xi * eta * eta * y,
                t * zeta * xi * eta,
                eta * x * (xx - xi - 3.0 * eta + yy),
                a * xi * eta * x * x,
                -b * eta * eta * x * y,
                -t * zeta * eta * x,
            ]
        };
        for at in [[0.0, 0.0, 0.0], [0.3, 0.8, 0.4], [1.0, 0.2, -0.5], [0.61, 0.47, 0.1]] {
            let s = shape([a, b, t], at);
            let expected = printed(at[0], at[1], at[2]);
            for i in 0..16 {
                assert!(
                    (s.value[i] - expected[i]).abs() < 1e-15,
                    "s{} at {at:?}: {} {}",
                    i + 1,
                    s.value[i],
                    expected[i]
                );
            }
            let h = 1e-5;
            for (d, size) in [a, b, t].into_iter().enumerate() {
                let (mut low, mut high) = (at, at);
                low[d] -= h;
                high[d] += h;
                let (low, high) = (shape([a, b, t], low), shape([a, b, t], high));
                for i in 0..16 {
                    let difference = (high.value[i] - low.value[i]) / (2.0 * h * size);
                    assert!((s.slope[d][i] - difference).abs() < 1e-9);
                }
            }
        }
    }

    /// Positions and gradients at the nodes are the nodal vectors, and x, y, z are reproduced.
    #[test]
    fn nodal_values_are_interpolated() {
        let sizes = [1.3, 0.7, 0.05];
        for (k, [xi, eta]) in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].into_iter().enumerate() {
            let s = shape(sizes, [xi, eta, 0.0]);
            for i in 0..16 {
                let is = |v: usize| f64::from(u8::from(i == 4 * k + v));
                assert!((s.value[i] - is(0)).abs() < 1e-15);
                for d in 0..3 {
                    assert!((s.slope[d][i] - is(d + 1)).abs() < 1e-14);
                }
            }
        }
        let at = [0.37, 0.81, -0.3];
        let s = shape(sizes, at);
        let corners = [[0.0, 0.0], [sizes[0], 0.0], [sizes[0], sizes[1]], [0.0, sizes[1]]];
        let sum = |f: &dyn Fn(usize) -> [f64; 4]| -> f64 {
            (0..4).map(|k| (0..4).map(|v| s.value[4 * k + v] * f(k)[v]).sum::<f64>()).sum()
        };
        assert!((sum(&|_| [1.0, 0.0, 0.0, 0.0]) - 1.0).abs() < 1e-15);
        assert!((sum(&|k| [corners[k][0], 1.0, 0.0, 0.0]) - at[0] * sizes[0]).abs() < 1e-15);
        assert!((sum(&|k| [corners[k][1], 0.0, 1.0, 0.0]) - at[1] * sizes[1]).abs() < 1e-15);
        assert!((sum(&|_| [0.0, 0.0, 0.0, 1.0]) - at[2] * sizes[2]).abs() < 1e-15);
    }
}
