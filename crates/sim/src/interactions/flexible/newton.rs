//! Sparse blocks of the Newton matrix: a part with itself, with its carrier, and the carrier with the part.
//!
//! With the slopes K = −(w_q ∂Q/∂e + w_v ∂Q/∂ė), e = N·y + s, y the four vectors of the carrier and δy = Γ·δξ for a small motion ξ of it about `c`:
//! F = w_a·M_ff + K_ff, U = Γᵀ·NᵀK_f, Vᵀ = K_f·N·Γ, and the carrier gets ΓᵀNᵀK N·Γ less the term that rotates
//! the forces with it. The change of the rates of y with the pose (centrifugal, times damping) is left out;
//! it is of the order h·ω of the damping.

use super::evaluate::unit_motion;
use super::{FRAME, FlexPart};
use crate::engine::system::System;
use touchdown_math::{Mat6, Vec3, cross_matrix};
use touchdown_multibody::rigid::push;
use touchdown_multibody::rigid::tangent::Weights;
use touchdown_solve::linear::{Block, BlockShape};

/// Motions of a carrier.
const PORTS: usize = 6;

impl System {
    /// Shapes of the blocks, one for each part.
    pub(crate) fn own_blocks(&self) -> Vec<BlockShape> {
        let shape = |part: &FlexPart| BlockShape {
            pattern: part.pattern.clone(),
            ports: if part.carrier.as_ref().is_some_and(|on| on.moves()) { PORTS } else { 0 },
            change: part.cholesky.then(|| part.factors.clone()),
        };
        self.acts.flexible.iter().map(shape).collect()
    }

    /// Fills the blocks from the last evaluation, which must have had weights.
    pub(crate) fn fill_blocks(&mut self, weights: Weights, blocks: &mut [Block]) {
        let mut parts = std::mem::take(&mut self.acts.flexible);
        for (part, block) in parts.iter_mut().zip(blocks) {
            for (f, (m, k)) in block.F.iter_mut().zip(part.mass.iter().zip(&part.entries)) {
                *f = weights.a * m + part.slope[*k as usize];
            }
            if part.carrier.as_ref().is_some_and(|on| on.moves()) {
                self.fill_ports(part, block);
            }
        }
        self.acts.flexible = parts;
    }

    fn fill_ports(&mut self, part: &mut FlexPart, block: &mut Block) {
        let at = self.carrier_vectors(part)[0];
        let (mut rows, mut columns) = (std::mem::take(&mut part.rows), std::mem::take(&mut part.columns));
        let Some(on) = &part.carrier else { return };
        let gamma = gamma(&at, &self.cache.c);
        let (n, N) = (part.own.len(), &on.carried.N);
        rows.fill([0.0; FRAME]);
        columns.fill([0.0; FRAME]);
        let pattern = part.mesh.pattern();
        let place = &on.carried.place;
        let own = |k: usize| match place[k / 3] {
            usize::MAX => None,
            at => Some(3 * at + k % 3),
        };
        for j in 0..pattern.size() {
            let (own_j, Nj) = (own(j), &N[j / 3]);
            for (i, at) in pattern.rows(j).iter().zip(pattern.first(j)..) {
                let (i, k) = (*i as usize, part.slope[at]);
                if let Some(i) = own(i) {
                    (0..4).for_each(|c| columns[i][3 * c + j % 3] += k * Nj[c]);
                }
                if let Some(j) = own_j {
                    (0..4).for_each(|c| rows[j][3 * c + i % 3] += k * N[i / 3][c]);
                }
            }
        }
        for p in 0..PORTS {
            let motion: [f64; FRAME] = std::array::from_fn(|c| gamma[c][p]);
            for k in 0..n {
                block.U[p * n + k] = dot(&motion, &rows[k]);
                block.V[p * n + k] = dot(&motion, &columns[k]);
            }
        }
        let nv = self.model.nv;
        block.P.fill(0.0);
        let link = &self.model.links[on.link];
        let mut rate = link.v + link.primitive.rates() - 1;
        while rate != usize::MAX {
            let S = &self.cache.S[rate];
            for c in 0..3 {
                (block.P[c * nv + rate], block.P[(c + 3) * nv + rate]) = (S.w[c], S.v[c]);
            }
            rate = self.model.parent_rate[rate];
        }
        (part.rows, part.columns) = (rows, columns);
    }

    /// Derivative of the wrench on the carrier by its own motion.
    pub(super) fn add_carrier_tangent(&mut self, part: &FlexPart, at: &[Vec3; 4], wq: f64) {
        let Some(on) = part.carrier.as_ref().filter(|on| on.moves()) else { return };
        let gamma = gamma(at, &self.cache.c);
        let (N, pattern) = (&on.carried.N, part.mesh.pattern());
        let mut both = [[0.0; FRAME]; FRAME];
        for j in 0..pattern.size() {
            let mut column = [0.0; FRAME];
            for (i, at) in pattern.rows(j).iter().zip(pattern.first(j)..) {
                let (i, k) = (*i as usize, part.slope[at]);
                (0..4).for_each(|c| column[3 * c + i % 3] += k * N[i / 3][c]);
            }
            for c in 0..4 {
                let weight = N[j / 3][c];
                (0..FRAME).for_each(|a| both[a][3 * c + j % 3] += column[a] * weight);
            }
        }
        let mut block = Mat6::zeros();
        for p in 0..PORTS {
            let moved: [f64; FRAME] =
                std::array::from_fn(|a| (0..FRAME).map(|b| both[a][b] * gamma[b][p]).sum());
            for r in 0..PORTS {
                block[(r, p)] = (0..FRAME).map(|a| gamma[a][r] * moved[a]).sum();
            }
        }
        // Forces keep their directions while the vectors that they act on turn: −δ(torque) = f × δy.
        let f = on.carried.link_forces(&part.force);
        for (k, f) in f.iter().enumerate() {
            let y = if k == 0 { at[0] - self.cache.c } else { at[k] };
            let fx = cross_matrix(f) * wq;
            let mut corner = block.fixed_view_mut::<3, 3>(0, 0);
            corner -= fx * cross_matrix(&y);
            if k == 0 {
                let mut side = block.fixed_view_mut::<3, 3>(0, 3);
                side += fx;
            }
        }
        push::add_block(&mut self.cache, on.link, on.link, &block);
    }
}

/// Product of two vectors, summed in their order. The hot loop of the Newton matrix: an iterator's sum is not
/// always inlined.
#[inline(always)]
fn dot(a: &[f64; FRAME], b: &[f64; FRAME]) -> f64 {
    // Starts from −0 as an iterator does, so that no bit of a sum changes.
    let mut sum = -0.0;
    for k in 0..FRAME {
        sum += a[k] * b[k];
    }
    sum
}

/// Γ: change of the components of the four vectors by the six motions about `c`.
fn gamma(at: &[Vec3; 4], c: &Vec3) -> [[f64; PORTS]; FRAME] {
    let mut out = [[0.0; PORTS]; FRAME];
    for p in 0..PORTS {
        let unit = unit_motion(p);
        for (k, y) in at.iter().enumerate() {
            let change = if k == 0 { unit.v + unit.w.cross(&(y - c)) } else { unit.w.cross(y) };
            (0..3).for_each(|a| out[3 * k + a][p] = change[a]);
        }
    }
    out
}
