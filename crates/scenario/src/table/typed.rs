//! Kinds of keys with their Rust types, for the declarations of sections.

use super::{ANY, KeyKind, Keys, Range, Words};
use crate::read::{AttachSpec, BodyName, Quantity, Text, Timed};
use crate::unit::Dim;
use std::marker::PhantomData;
use touchdown_math::Vec3;

/// A kind with values of type `T`.
pub(crate) struct Typed<T> {
    kind: KeyKind,
    of: PhantomData<fn() -> T>,
}

type Dims = &'static [&'static Dim];

impl<T> Typed<T> {
    const fn new(kind: KeyKind) -> Self {
        Typed { kind, of: PhantomData }
    }

    /// The kind without the type.
    pub const fn kind(self) -> KeyKind {
        self.kind
    }
}

pub(super) const fn text() -> Typed<Text> {
    Typed::new(KeyKind::Text)
}

/// The name of a body or of the world.
pub(super) const fn body_name() -> Typed<BodyName> {
    Typed::new(KeyKind::Text)
}

pub(super) const fn texts() -> Typed<Vec<Text>> {
    Typed::new(KeyKind::Texts)
}

pub(super) const fn flag() -> Typed<bool> {
    Typed::new(KeyKind::Flag)
}

pub(super) const fn count(min: u64, max: u64) -> Typed<u64> {
    Typed::new(KeyKind::Count { min, max })
}

pub(super) const fn choice<T: Words>() -> Typed<T> {
    Typed::new(KeyKind::Choice(T::WORDS))
}

/// A quantity in SI.
pub(super) const fn number(dims: Dims, range: Range) -> Typed<f64> {
    Typed::new(KeyKind::Number(dims, range))
}

/// A quantity with one of several dimensions, which is stored with it.
pub(super) const fn quantity(dims: Dims, range: Range) -> Typed<Quantity> {
    Typed::new(KeyKind::Number(dims, range))
}

/// Three quantities.
pub(super) const fn vector(dims: Dims) -> Typed<Vec3> {
    vector_in(dims, ANY)
}

/// Three quantities within a range.
pub(super) const fn vector_in(dims: Dims, range: Range) -> Typed<Vec3> {
    Typed::new(KeyKind::Numbers { dims, range, lengths: &[3] })
}

/// A fixed number of quantities.
pub(super) const fn numbers<const N: usize>(dims: Dims, range: Range) -> Typed<[f64; N]> {
    Typed::new(KeyKind::Numbers { dims, range, lengths: const { &[N] } })
}

/// Quantities, as many as one of the permitted lengths.
pub(super) const fn list(dims: Dims, range: Range, lengths: &'static [usize]) -> Typed<Vec<f64>> {
    Typed::new(KeyKind::Numbers { dims, range, lengths })
}

/// Quantities of one of several dimensions each.
pub(super) const fn quantities(dims: Dims, range: Range, lengths: &'static [usize]) -> Typed<Vec<Quantity>> {
    Typed::new(KeyKind::Numbers { dims, range, lengths })
}

/// Positions in the plane.
pub(super) const fn places(dims: Dims) -> Typed<Vec<[f64; 2]>> {
    Typed::new(KeyKind::Places(dims))
}

/// A unit vector.
pub(super) const fn axis() -> Typed<Vec3> {
    Typed::new(KeyKind::Axis)
}

pub(super) const fn signal(dims: Dims) -> Typed<Timed> {
    Typed::new(KeyKind::Signal(dims))
}

pub(super) const fn attach() -> Typed<AttachSpec> {
    Typed::new(KeyKind::Attach)
}

pub(super) const fn pair() -> Typed<[AttachSpec; 2]> {
    Typed::new(KeyKind::AttachPair)
}

pub(super) const fn table<T: Keys>() -> Typed<T> {
    Typed::new(KeyKind::Table(T::SECTION))
}

/// One of several kinds; `T` defines the conversion of each.
pub(super) const fn one_of<T>(kinds: &'static [KeyKind]) -> Typed<T> {
    Typed::new(KeyKind::OneOf(kinds))
}
