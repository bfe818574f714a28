//! Dense work on a front: elimination of its first unknowns.

/// Number of pivots processed together, so that each pass over the rest does more work.
const PANEL: usize = 4;

/// Eliminates the first `p` of `m` unknowns of the row-major m × m matrix `a` with partial pivoting among their rows. `swaps` notes the row
/// taken for each pivot. An error names a pivot that is zero or not finite.
pub(super) fn eliminate(a: &mut [f64], m: usize, p: usize, swaps: &mut [u32]) -> Result<(), usize> {
    let mut k = 0;
    while k < p {
        let end = (k + PANEL).min(p);
        panel(a, m, p, (k, end), swaps)?;
        // Rows of the panel: their part right of it.
        for i in k + 1..end {
            let (above, row) = a.split_at_mut(i * m);
            for j in k..i {
                let factor = row[j];
                let source = &above[j * m + end..(j + 1) * m];
                row[end..m].iter_mut().zip(source).for_each(|(t, s)| *t -= factor * s);
            }
        }
        update(a, m, (k, end));
        k = end;
    }
    Ok(())
}

/// Columns k to end of all rows from k on.
fn panel(
    a: &mut [f64],
    m: usize,
    p: usize,
    (k, end): (usize, usize),
    swaps: &mut [u32],
) -> Result<(), usize> {
    for j in k..end {
        let mut best = j;
        for i in j + 1..p {
            if a[i * m + j].abs() > a[best * m + j].abs() {
                best = i;
            }
        }
        swaps[j] = best as u32;
        if best != j {
            let (upper, lower) = a.split_at_mut(best * m);
            upper[j * m..(j + 1) * m].swap_with_slice(&mut lower[..m]);
        }
        let pivot = a[j * m + j];
        if pivot == 0.0 || !pivot.is_finite() {
            return Err(j);
        }
        let inverse = 1.0 / pivot;
        let (upper, lower) = a.split_at_mut((j + 1) * m);
        let source = &upper[j * m + j + 1..j * m + end];
        for row in lower.chunks_exact_mut(m) {
            let factor = row[j] * inverse;
            row[j] = factor;
            row[j + 1..end].iter_mut().zip(source).for_each(|(t, s)| *t -= factor * s);
        }
    }
    Ok(())
}

/// Rows below the panel, right of it, less the contribution of the panel's pivots.
fn update(a: &mut [f64], m: usize, (k, end): (usize, usize)) {
    let (upper, lower) = a.split_at_mut(end * m);
    let width = m - end;
    if end - k == PANEL {
        let row = |j: usize| &upper[(k + j) * m + end..(k + j) * m + end + width];
        let (u0, u1, u2, u3) = (row(0), row(1), row(2), row(3));
        for row in lower.chunks_exact_mut(m) {
            let (l0, l1, l2, l3) = (row[k], row[k + 1], row[k + 2], row[k + 3]);
            let target = &mut row[end..end + width];
            for j in 0..width {
                target[j] -= (l0 * u0[j] + l1 * u1[j]) + (l2 * u2[j] + l3 * u3[j]);
            }
        }
    } else {
        for row in lower.chunks_exact_mut(m) {
            for j in k..end {
                let factor = row[j];
                let source = &upper[j * m + end..(j + 1) * m];
                row[end..m].iter_mut().zip(source).for_each(|(t, s)| *t -= factor * s);
            }
        }
    }
}

/// Cholesky factors of the first `p` of `m` unknowns of a symmetric row-major matrix, lower triangle; the rest becomes the Schur complement.
/// An error names a pivot that is not positive.
pub(super) fn eliminate_symmetric(a: &mut [f64], m: usize, p: usize) -> Result<(), usize> {
    for i in 0..m {
        let (above, rest) = a.split_at_mut(i * m);
        let row = &mut rest[..m];
        let known = i.min(p);
        for j in 0..known {
            let other = &above[j * m..j * m + j + 1];
            row[j] = (row[j] - crate::linear::dot(&row[..j], &other[..j])) / other[j];
        }
        if i < p {
            let pivot = row[i] - crate::linear::dot(&row[..i], &row[..i]);
            if pivot <= 0.0 || !pivot.is_finite() {
                return Err(i);
            }
            row[i] = pivot.sqrt();
        } else {
            let (left, right) = row.split_at_mut(p);
            for j in p..i {
                right[j - p] -= crate::linear::dot(left, &above[j * m..j * m + p]);
            }
            right[i - p] -= crate::linear::dot(left, left);
        }
    }
    Ok(())
}

/// Eliminates the first `p` of `m` unknowns of a symmetric row-major matrix, lower triangle, for any signs of
/// the pivots; the rest becomes the Schur complement. Counts negative pivots; an error names one that is zero
/// or not finite.
pub(super) fn eliminate_signed(a: &mut [f64], m: usize, p: usize) -> Result<usize, usize> {
    let mut negative = 0;
    for k in 0..p {
        let pivot = a[k * m + k];
        if pivot == 0.0 || !pivot.is_finite() {
            return Err(k);
        }
        negative += usize::from(pivot < 0.0);
        for i in k + 1..m {
            let factor = a[i * m + k] / pivot;
            if factor != 0.0 {
                for j in k + 1..=i {
                    a[i * m + j] -= factor * a[j * m + k];
                }
            }
        }
    }
    Ok(negative)
}
