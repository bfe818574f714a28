//! Distances and normals of many points of one neighbourhood at once: simple loops over lists, which
//! compilers vectorise.

use super::distance::Near;
use super::section::Section;
use super::segment::Segment;

impl Near {
    /// The segment, if the neighbourhood has only one.
    #[inline]
    pub(super) fn only(&self) -> Option<usize> {
        (self.count == 1).then_some(self.list[0] as usize)
    }
}

impl Section {
    /// Signed distances of the points (`a`, `r`), m, if `near` has one segment and all feet lie inside it;
    /// otherwise `false`, and `out` is undefined. All lists have the same length.
    #[inline]
    pub fn distances_inside(&self, near: &Near, a: &[f64], r: &[f64], out: &mut [f64]) -> bool {
        let Some(segment) = near.only().map(|k| &self.segments[k]) else { return false };
        match &segment.arc {
            None => self.distances_from_line(segment, a, r, out),
            Some(arc) => {
                let ([ca, cr], scale) = (arc.centre, self.sign * arc.turn);
                let spoke = |p: [f64; 2]| [arc.turn * (p[0] - ca), arc.turn * (p[1] - cr)];
                let (start, end) = (spoke(segment.start), spoke(segment.end));
                let mut inside = true;
                for ((a, r), out) in a.iter().zip(r).zip(out) {
                    let (va, vr) = (a - ca, r - cr);
                    inside &= (start[0] * vr - start[1] * va > 0.0) & (va * end[1] - vr * end[0] > 0.0);
                    *out = scale * (arc.radius - (va * va + vr * vr).sqrt());
                }
                inside
            }
        }
    }

    #[inline]
    fn distances_from_line(&self, segment: &Segment, a: &[f64], r: &[f64], out: &mut [f64]) -> bool {
        let ([start_a, start_r], [tangent_a, tangent_r]) = (segment.start, segment.tangent);
        let (length, sign) = (segment.length, self.sign);
        let mut inside = true;
        for ((a, r), out) in a.iter().zip(r).zip(out) {
            let (va, vr) = (a - start_a, r - start_r);
            let along = va * tangent_a + vr * tangent_r;
            inside &= (along > 0.0) & (along < length);
            *out = sign * (tangent_a * vr - tangent_r * va);
        }
        inside
    }

    /// Normals (axial and radial part) and bends of the same points, as [`Section::foot_among`] gives them; only after
    /// [`Section::distances_inside`] said that all feet lie inside.
    #[inline]
    pub fn normals_inside(&self, near: &Near, a: &[f64], r: &[f64], out: [&mut [f64]; 3]) {
        let Some(segment) = near.only().map(|k| &self.segments[k]) else { return };
        let [normal_a, normal_r, bend] = out;
        match &segment.arc {
            None => {
                normal_a.fill(-segment.tangent[1] * self.sign);
                normal_r.fill(segment.tangent[0] * self.sign);
                bend.fill(0.0);
            }
            Some(arc) => {
                let ([ca, cr], scale) = (arc.centre, -arc.turn * self.sign);
                let outs = normal_a.iter_mut().zip(normal_r).zip(bend);
                for ((a, r), ((normal_a, normal_r), bend)) in a.iter().zip(r).zip(outs) {
                    let (va, vr) = (a - ca, r - cr);
                    let size = (va * va + vr * vr).sqrt().max(f64::MIN_POSITIVE);
                    *bend = scale / size;
                    (*normal_a, *normal_r) = (va * *bend, vr * *bend);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Path, Side};
    use super::*;

    /// Many at once is one by one.
    #[test]
    fn as_single_points() {
        let path = Path::from([0.0, 0.02]).line([0.03, 0.03]).arc([0.04, 0.035], [0.045, 0.045]);
        for side in [Side::Solid, Side::Cavity] {
            let section = Section::new(&path, side).unwrap();
            let mut compared = 0;
            for centre in [[0.015, 0.026], [0.041, 0.0365], [0.03, 0.03], [0.0, 0.02]] {
                let (near, _) = section.near(centre, 2e-3, 0);
                let offsets = [-1e-3, -2e-4, 0.0, 7e-4, 1.1e-3];
                let a: Vec<f64> = offsets.iter().map(|x| centre[0] + x).collect();
                let r: Vec<f64> = offsets.iter().map(|x| centre[1] - 0.7 * x).collect();
                let mut out = [const { [0.0; 5] }; 4];
                let [distance, normal_a, normal_r, bend] = &mut out;
                if !section.distances_inside(&near, &a, &r, distance) {
                    continue;
                }
                section.normals_inside(&near, &a, &r, [normal_a, normal_r, bend]);
                for k in 0..5 {
                    let foot = section.foot([a[k], r[k]]);
                    assert!((distance[k] - foot.distance).abs() < 1e-16, "{} {}", distance[k], foot.distance);
                    assert!((normal_a[k] - foot.normal[0]).abs() < 1e-14);
                    assert!((normal_r[k] - foot.normal[1]).abs() < 1e-14);
                    assert!((bend[k] - foot.bend).abs() < 1e-12);
                    compared += 1;
                }
            }
            assert_eq!(compared, 10, "the two joints have more than one segment near");
        }
    }
}
