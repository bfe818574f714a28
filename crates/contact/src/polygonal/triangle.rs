//! Integrals over the part of a triangle where a linear function is positive: clipping without polygons.
//!
//! s is linear over the triangle with values s₀, s₁, s₂ at its corners; N_i are the shape functions, ⟨·⟩ means over the
//! triangle's area. All results are continuous in s, and ∂⟨s₊N_i⟩/∂s_j = ⟨N_iN_j; s > 0⟩, because s vanishes on the line where the
//! triangle is clipped.

/// Means over the part of a triangle where s is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// ⟨N_i; s > 0⟩: they sum to the touching share of the area.
    pub share: [f64; 3],
    /// ⟨s₊ N_i⟩, m: they sum to the mean penetration.
    pub depth: [f64; 3],
}

impl Moments {
    /// The moments of s.
    #[inline]
    pub fn of(s: &[f64; 3]) -> Moments {
        if (s[0] > 0.0) & (s[1] > 0.0) & (s[2] > 0.0) {
            let sum = s[0] + s[1] + s[2];
            return Moments { share: [1.0 / 3.0; 3], depth: s.map(|s| (sum + s) / 12.0) };
        }
        Moments::of_part(s)
    }

    #[inline(never)]
    fn of_part(s: &[f64; 3]) -> Moments {
        match above(s) {
            Above::None | Above::All => Moments::default(),
            Above::One(i) => Tip::of(s, i).moments(s[i]),
            Above::Two(i) => {
                // The whole, less the tip outside: s₊ = s + (−s)₊.
                let tip = Tip::of(s, i).moments(-s[i]);
                let sum = s[0] + s[1] + s[2];
                let each =
                    |k: usize| (1.0 / 3.0 - tip.share[k], ((sum + s[k]) / 12.0 + tip.depth[k]).max(0.0));
                let (a, b, c) = (each(0), each(1), each(2));
                Moments { share: [a.0, b.0, c.0], depth: [a.1, b.1, c.1] }
            }
        }
    }

    /// Touching share of the area.
    #[inline]
    pub fn area(&self) -> f64 {
        self.share[0] + self.share[1] + self.share[2]
    }

    /// ⟨s₊²⟩, m².
    #[inline]
    pub fn square(&self, s: &[f64; 3]) -> f64 {
        s[0] * self.depth[0] + s[1] * self.depth[1] + s[2] * self.depth[2]
    }
}

/// ⟨N_i N_j; s > 0⟩, the derivative of [`Moments::depth`].
#[inline]
pub fn mass(s: &[f64; 3]) -> [[f64; 3]; 3] {
    const WHOLE: [[f64; 3]; 3] = {
        let (d, o) = (1.0 / 6.0, 1.0 / 12.0);
        [[d, o, o], [o, d, o], [o, o, d]]
    };
    match above(s) {
        Above::None => [[0.0; 3]; 3],
        Above::All => WHOLE,
        Above::One(i) => Tip::of(s, i).mass(),
        Above::Two(i) => {
            let tip = Tip::of(s, i).mass();
            std::array::from_fn(|i| std::array::from_fn(|j| WHOLE[i][j] - tip[i][j]))
        }
    }
}

/// Which corners are above zero: none, all, one (which), all but one (which).
enum Above {
    None,
    All,
    One(usize),
    Two(usize),
}

#[inline]
fn above(s: &[f64; 3]) -> Above {
    match (s[0] > 0.0, s[1] > 0.0, s[2] > 0.0) {
        (false, false, false) => Above::None,
        (true, true, true) => Above::All,
        (true, false, false) => Above::One(0),
        (false, true, false) => Above::One(1),
        (false, false, true) => Above::One(2),
        (false, true, true) => Above::Two(0),
        (true, false, true) => Above::Two(1),
        (true, true, false) => Above::Two(2),
    }
}

/// The corner cut off by the line s = 0: a triangle from the corner over the shares `t` and `u` of its two edges.
struct Tip {
    corner: usize,
    t: f64,
    u: f64,
}

impl Tip {
    /// The corner's value differs in sign from the other two, or these are zero: the denominators cannot vanish.
    #[inline]
    fn of(s: &[f64; 3], corner: usize) -> Tip {
        let (j, k) = ((corner + 1) % 3, (corner + 2) % 3);
        let share = |other: f64| {
            let fall = s[corner] - other;
            if fall == 0.0 { 1.0 } else { s[corner] / fall }
        };
        Tip { corner, t: share(s[j]), u: share(s[k]) }
    }

    /// Moments over the tip of the function that is `height` at the corner and zero on the cut.
    #[inline]
    fn moments(&self, height: f64) -> Moments {
        // In the tip's own shape functions M: N_j = t M_j, N_k = u M_k, and N_i is the rest.
        let area = self.t * self.u;
        let put = |i: f64, j: f64, k: f64| {
            let mut all = [0.0; 3];
            (all[self.corner], all[(self.corner + 1) % 3], all[(self.corner + 2) % 3]) = (i, j, k);
            all
        };
        let share = area / 3.0;
        let depth = area * height / 12.0;
        Moments {
            share: put(share * (3.0 - self.t - self.u), share * self.t, share * self.u),
            depth: put(depth * (4.0 - self.t - self.u), depth * self.t, depth * self.u),
        }
    }

    /// ⟨N_iN_j⟩ over the tip.
    #[inline]
    fn mass(&self) -> [[f64; 3]; 3] {
        let (t, u) = (self.t, self.u);
        // Rows of N in terms of M, first the corner.
        let N = [[1.0, 1.0 - t, 1.0 - u], [0.0, t, 0.0], [0.0, 0.0, u]];
        let mut all = [[0.0; 3]; 3];
        for (i, a) in N.iter().enumerate() {
            for (j, b) in N.iter().enumerate() {
                let diagonal = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                let sums = (a[0] + a[1] + a[2]) * (b[0] + b[1] + b[2]);
                all[(self.corner + i) % 3][(self.corner + j) % 3] = t * u / 12.0 * (diagonal + sums);
            }
        }
        all
    }
}
