//! A second, small reader of `viewer/FORMAT.md`, written from the table alone.

use std::collections::BTreeMap;
use touchdown_record::Scene;

/// What the page knows between frames.
#[derive(Default)]
pub struct Page {
    soil: BTreeMap<(i32, i32), (Vec<f32>, Vec<i16>)>,
}

/// A frame as the page shows it, with all soil so far.
pub struct Shown {
    pub time: f64,
    pub poses: Vec<[f32; 7]>,
    pub contacts: Vec<[f32; 6]>,
    /// Heights by first node, m.
    pub soil: BTreeMap<(i32, i32), Vec<f32>>,
    pub pressures: Vec<Vec<(i32, i32, f32)>>,
    pub deformations: Vec<Vec<[f32; 3]>>,
}

/// Number of records.
pub fn count(bytes: &[u8]) -> usize {
    let (mut rest, mut n) = (Bytes(bytes), 0);
    while !rest.0.is_empty() {
        let length = u32::from_le_bytes(rest.take());
        rest.0 = &rest.0[length as usize..];
        n += 1;
    }
    n
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("more bytes");
        self.0 = rest;
        *first
    }
    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }
    fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }
    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }
    fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }
}

impl Page {
    /// Reads all records.
    pub fn play(mut self, bytes: &[u8], scene: &Scene) -> Vec<Shown> {
        let (mut rest, mut frames) = (Bytes(bytes), Vec::new());
        while !rest.0.is_empty() {
            let length = u32::from_le_bytes(rest.take()) as usize;
            let (record, after) = rest.0.split_at(length);
            rest = Bytes(after);
            frames.push(self.frame(Bytes(record), scene));
        }
        frames
    }

    fn frame(&mut self, mut record: Bytes, scene: &Scene) -> Shown {
        let time = f64::from_le_bytes(record.take());
        let poses = scene.bodies.iter().map(|_| std::array::from_fn(|_| record.f32())).collect();
        let contacts = scene.contacts.iter().map(|_| std::array::from_fn(|_| record.f32())).collect();
        for _ in 0..record.u16() {
            self.patch(&mut record);
        }
        let pressures = (0..record.u16()).map(|_| pressures(&mut record)).collect();
        let deformations = (0..record.u16()).map(|_| deformation(&mut record)).collect();
        assert!(record.0.is_empty(), "{} bytes too many", record.0.len());
        let height = |(before, change): (&f32, &i16)| before + f32::from(*change) * 1e-4;
        let heights = |p: &(Vec<f32>, Vec<i16>)| p.0.iter().zip(&p.1).map(height).collect();
        Shown {
            time,
            poses,
            contacts,
            soil: self.soil.iter().map(|(k, p)| (*k, heights(p))).collect(),
            pressures,
            deformations,
        }
    }

    fn patch(&mut self, record: &mut Bytes) {
        let place = (record.i32(), record.i32());
        let nodes = usize::from(record.u16()) * usize::from(record.u16());
        if record.take::<1>() == [1] {
            let undisturbed = (0..nodes).map(|_| record.f32()).collect();
            self.soil.insert(place, (undisturbed, vec![0; nodes]));
        }
        let (_, change) = self.soil.get_mut(&place).expect("a patch that is known");
        assert_eq!(change.len(), nodes);
        change.iter_mut().for_each(|node| *node = node.wrapping_add(record.i16()));
    }
}

fn deformation(record: &mut Bytes) -> Vec<[f32; 3]> {
    let count = u32::from_le_bytes(record.take());
    let largest = record.f32();
    (0..count).map(|_| std::array::from_fn(|_| f32::from(record.i16()) / 32767.0 * largest)).collect()
}

fn pressures(record: &mut Bytes) -> Vec<(i32, i32, f32)> {
    let count = u32::from_le_bytes(record.take());
    let (i, j, largest) = (record.i32(), record.i32(), record.f32());
    let node = |r: &mut Bytes| {
        let place = (i + i32::from(r.i16()), j + i32::from(r.i16()));
        (place.0, place.1, f32::from(r.u16()) / 65535.0 * largest)
    };
    (0..count).map(|_| node(record)).collect()
}
