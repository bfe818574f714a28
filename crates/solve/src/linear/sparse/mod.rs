//! Sparse factors for the blocks of flexible bodies: the pattern is analysed once, then factored and solved
//! repeatedly without allocation, always in the same order of operations.
//!
//! `pattern` (compressed columns) ⇒ `order` (equal columns joined to blocks, nested dissection of large ones,
//! minimum degree, elimination tree, supernodes) ⇒ [`SparseLu`] and [`SparseCholesky`], which walk the tree
//! with dense fronts: entries of the matrix and the children's Schur complements are added to a small dense
//! matrix, its first unknowns are eliminated, the rest goes to the parent (Duff & Reid 1983, *The
//! multifrontal solution of indefinite sparse symmetric linear equations*). [`SparseInertia`] counts negative
//! eigenvalues the same way. Twelve coordinates of a node have one pattern, so the fronts are never small.

mod cholesky;
mod dense;
mod dissect;
mod inertia;
mod lu;
mod order;
mod pattern;

pub use cholesky::SparseCholesky;
pub use inertia::SparseInertia;
pub use lu::SparseLu;
pub use pattern::SparsePattern;

#[cfg(test)]
mod tests;
