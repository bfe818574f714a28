//! Procedural ground: unlimited hills and hollows from a seed; a kind of [`crate::Relief`].
//!
//! Gradient noise (K. Perlin, "Improving noise", SIGGRAPH 2002): every node (i, j) of a square lattice has a random slope g, whose components
//! are hashes of seed, octave, i and j, uniform in [−1, 1]. Within a cell the planes g·(x − x_node) of its four corners are blended with
//! S(s) = 6s⁵ − 15s⁴ + 10s³, which makes the sum twice continuously differentiable. Each octave halves wavelength and amplitude, so that all are equally
//! steep, and rotates its lattice relative to the previous one, so that no direction is preferred.
//!
//! Only sums, products, quotients, square roots and `floor` are used, which every machine rounds equally:
//! heights have the same bits everywhere.

use crate::ReliefError;
use touchdown_math::Elementary;

/// The mean distance of every other zero along a line is measured as 2.1 cells.
const CELLS_A_WAVE: f64 = 2.0;
/// Variance of one octave, averaged over a cell, when slopes have variance 1/3: ⅔·A·B with A = 2∫(1−S)² ds = 181/231 and
/// B = 2∫(1−S)² s² ds = 535/9009.
const VARIANCE: f64 = 193_670.0 / 6_243_237.0;
/// Largest magnitude of one octave: Σ w_i w_j (|x_i| + |y_j|), greatest in the middle of a cell.
const MOST: f64 = 1.0;
/// Largest rise of one octave per cell along any direction: 2.75 along each axis, in the middle of a cell,
/// times √2.
const STEEPEST: f64 = 2.75 * std::f64::consts::SQRT_2;
/// Cosine and sine of the turn from one octave to the next.
const TURN: [f64; 2] = [0.8, 0.6];
/// Largest number of octaves: beyond it they are finer than any grid of soil, 2⁻¹⁵ of the wavelength.
const MOST_OCTAVES: u32 = 16;

/// Seeded ground of unlimited extent.
#[derive(Clone, Debug, PartialEq)]
pub struct Procedural {
    seed: u64,
    height: f64,
    /// Distance of the nodes of the coarsest lattice, m.
    cell: f64,
    octaves: u32,
    /// Height of the first octave per unit of noise, m.
    scale: f64,
}

impl Procedural {
    /// Ground about a mean `height` (m) with the root mean square deviation `amplitude` (m); the largest hills are about one `wavelength` (m)
    /// apart, and each of the further `octaves` (1 to 16 in all) adds detail of half the size.
    pub fn new(
        seed: u64,
        height: f64,
        wavelength: f64,
        amplitude: f64,
        octaves: u32,
    ) -> Result<Procedural, ReliefError> {
        let refuse = |what, found, allowed| Err(ReliefError::Range { what, found, allowed });
        if !height.is_finite() {
            return refuse("mean height", height, "finite");
        }
        if !(wavelength.is_finite() && wavelength > 0.0) {
            return refuse("wavelength", wavelength, "finite, > 0 m");
        }
        if !(amplitude.is_finite() && amplitude >= 0.0) {
            return refuse("amplitude", amplitude, "finite, >= 0 m");
        }
        if !(1..=MOST_OCTAVES).contains(&octaves) {
            return refuse("number of octaves", f64::from(octaves), "1 to 16");
        }
        // Octaves are independent: their variances 1, 1/4, 1/16, … add.
        let variance: f64 = gains(octaves).map(|gain| VARIANCE * gain * gain).sum();
        let scale = amplitude / variance.sqrt();
        Ok(Procedural { seed, height, cell: wavelength / CELLS_A_WAVE, octaves, scale })
    }

    /// Height (m) and its slopes towards x and y.
    pub(crate) fn sample(&self, x: f64, y: f64) -> (f64, [f64; 2]) {
        let (height, slope, _) = self.jet(x, y);
        (height, slope)
    }

    /// Height (m), its slopes towards x and y, and its second derivatives ∂xx, ∂xy, ∂yy (1/m), all continuous.
    pub(crate) fn jet(&self, x: f64, y: f64) -> (f64, [f64; 2], [f64; 3]) {
        let (mut height, mut slope, mut bend) = (0.0, [0.0; 2], [0.0; 3]);
        let mut at = [x / self.cell, y / self.cell];
        let [mut cos, mut sin] = [1.0, 0.0];
        for (octave, gain) in gains(self.octaves).enumerate() {
            let lattice = Lattice { key: mix(self.seed ^ mix(octave as u64 + 1)) };
            let (value, [along_u, along_v], [uu, uv, vv]) = lattice.noise(at);
            height += gain * value;
            // In units of its own cell each octave is twice as steep as the one before: gain and cell cancel.
            slope[0] += cos * along_u + sin * along_v;
            slope[1] += cos * along_v - sin * along_u;
            // Its second derivatives are twice as large again.
            let more = 1.0 / gain;
            bend[0] += more * (cos * cos * uu + 2.0 * cos * sin * uv + sin * sin * vv);
            bend[1] += more * (cos * sin * (vv - uu) + (cos * cos - sin * sin) * uv);
            bend[2] += more * (sin * sin * uu - 2.0 * cos * sin * uv + cos * cos * vv);
            at = turn(at).map(|c| 2.0 * c);
            [cos, sin] = turn([cos, sin]);
        }
        let steep = self.scale / self.cell;
        (self.height + self.scale * height, slope.map(|s| steep * s), bend.map(|b| steep / self.cell * b))
    }

    /// An upper bound of the height in a rectangle: the mean plus the largest amplitude, or the centre plus
    /// the steepest rise to a corner.
    pub(crate) fn highest(&self, x: [f64; 2], y: [f64; 2]) -> f64 {
        let anywhere = self.height + self.scale * MOST * gains(self.octaves).sum::<f64>();
        let reach = 0.5 * (x[1] - x[0]).hypotenuse(y[1] - y[0]);
        let middle = self.sample(0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1])).0;
        let rise = self.scale * STEEPEST * f64::from(self.octaves) / self.cell * reach;
        anywhere.min(middle + rise)
    }
}

/// Amplitudes of the octaves relative to the first.
fn gains(octaves: u32) -> impl Iterator<Item = f64> {
    (0..octaves).map(|octave| 0.5f64.whole_power(octave as i32))
}

/// Transforms to the axes of the next octave's lattice.
fn turn([u, v]: [f64; 2]) -> [f64; 2] {
    [TURN[0] * u - TURN[1] * v, TURN[1] * u + TURN[0] * v]
}

/// The lattice of one octave.
struct Lattice {
    key: u64,
}

impl Lattice {
    /// Noise with its first and second derivatives at a place, all in units of the cell.
    fn noise(&self, at: [f64; 2]) -> (f64, [f64; 2], [f64; 3]) {
        // Lattices would share the node at the origin, where all noise vanishes: each is shifted by its own fraction of a cell.
        let shift = pair(mix(self.key));
        let (i, x) = split(at[0] + shift[0]);
        let (j, y) = split(at[1] + shift[1]);
        let (a, da, dda) = blend(x);
        let (b, db, ddb) = blend(y);
        let [sw, se] = [self.corner(i, j, x, y), self.corner(i.wrapping_add(1), j, x - 1.0, y)];
        let north = j.wrapping_add(1);
        let [nw, ne] =
            [self.corner(i, north, x, y - 1.0), self.corner(i.wrapping_add(1), north, x - 1.0, y - 1.0)];
        // Bilinear in the blended coordinates, for the value and for both slopes of the corners' planes.
        let twist = |k: usize| sw[k] - se[k] - nw[k] + ne[k];
        let mixed = |k: usize| sw[k] + a * (se[k] - sw[k]) + b * (nw[k] - sw[k]) + a * b * twist(k);
        let (east, north) =
            (|k: usize| se[k] - sw[k] + b * twist(k), |k: usize| nw[k] - sw[k] + a * twist(k));
        let slopes = [mixed(1) + da * east(0), mixed(2) + db * north(0)];
        let along_xy = db * north(1) + da * (east(2) + db * twist(0));
        let bends = [2.0 * da * east(1) + dda * east(0), along_xy, 2.0 * db * north(2) + ddb * north(0)];
        (mixed(0), slopes, bends)
    }

    /// The plane of a node at a place relative to it: its value and slopes.
    fn corner(&self, i: i64, j: i64, x: f64, y: f64) -> [f64; 3] {
        let [gx, gy] = pair(mix(mix(self.key ^ i as u64) ^ j as u64));
        [gx * x + gy * y, gx, gy]
    }
}

/// The lattice line at or below a coordinate, and how far it lies beyond it, 0 to 1.
pub(crate) fn split(u: f64) -> (i64, f64) {
    let floor = u.floor();
    (floor as i64, u - floor)
}

/// S(s) with its derivatives 30 s²(1 − s)² and 60 s(1 − s)(1 − 2s).
pub(crate) fn blend(s: f64) -> (f64, f64, f64) {
    let rest = s * (1.0 - s);
    (s * s * s * (s * (6.0 * s - 15.0) + 10.0), 30.0 * rest * rest, 60.0 * rest * (1.0 - 2.0 * s))
}

/// Two numbers, uniform in [−1, 1), from the halves of a hash.
pub(crate) fn pair(hash: u64) -> [f64; 2] {
    const HALF: f64 = 2_147_483_648.0;
    [(hash >> 32) as u32, hash as u32].map(|bits| f64::from(bits) / HALF - 1.0)
}

/// The step of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): a bijection whose every output bit depends on every input bit.
pub(crate) fn mix(key: u64) -> u64 {
    let z = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise is linear in the slopes of the nodes, so its variance and limits follow from the weights of the blend: sums of their squares and of
    /// their absolute values, over a cell.
    #[test]
    fn constants_follow_from_the_blend() {
        const N: usize = 2000;
        let (mut a, mut b) = (0.0, 0.0);
        let (mut most, mut steepest): (f64, f64) = (0.0, 0.0);
        // Midpoints for the integrals (error ~ N⁻²), ends and middle for the limits.
        for k in 0..N {
            let s = (k as f64 + 0.5) / N as f64;
            let (upper, _, _) = blend(s);
            let lower = 1.0 - upper;
            a += (lower * lower + upper * upper) / N as f64;
            b += ((lower * s).powi(2) + (upper * (1.0 - s)).powi(2)) / N as f64;
        }
        for k in 0..=N {
            let s = k as f64 / N as f64;
            let (upper, rate, _) = blend(s);
            let lower = 1.0 - upper;
            let distance = lower * s + upper * (1.0 - s);
            most = most.max(2.0 * distance);
            // The slope of the same axis, then the other axis' planes, whose distances weigh at most one half.
            let own = (lower - rate * s).abs() + (upper - rate * (1.0 - s)).abs();
            steepest = steepest.max(own + 2.0 * rate * 0.5);
        }
        assert!((2.0 / 3.0 * a * b / VARIANCE - 1.0).abs() < 1e-6);
        assert_eq!(most, MOST);
        assert!((steepest * std::f64::consts::SQRT_2 - STEEPEST).abs() < 1e-14);
    }
}
