//! A directory of a BigTIFF, little-endian: entries in the order of their tags, followed by long values.

use super::GeoTags;

/// Bytes of the header.
pub(super) const HEADER: u64 = 16;
const TILE_OFFSETS: u16 = 324;

/// The header of a file whose first directory lies at a place.
pub(super) fn header(first: u64) -> Vec<u8> {
    let mut bytes = b"II".to_vec();
    for number in [43_u16, 8, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(first.to_le_bytes());
    bytes
}

/// Type of the values of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ascii = 2,
    Short = 3,
    Long = 4,
    Double = 12,
    Long8 = 16,
}

#[derive(Debug)]
struct Entry {
    tag: u16,
    kind: Kind,
    count: u64,
    bytes: Vec<u8>,
}

#[derive(Debug, Default)]
pub(super) struct Directory {
    entries: Vec<Entry>,
    /// Places of the tiles.
    tiles: Vec<u64>,
}

impl Directory {
    pub fn numbers(&mut self, tag: u16, kind: Kind, values: Vec<u64>) {
        let bytes = match kind {
            Kind::Ascii => values.iter().map(|v| *v as u8).collect(),
            Kind::Short => values.iter().flat_map(|v| (*v as u16).to_le_bytes()).collect(),
            Kind::Long => values.iter().flat_map(|v| (*v as u32).to_le_bytes()).collect(),
            Kind::Double => values.iter().flat_map(|v| (*v as f64).to_le_bytes()).collect(),
            Kind::Long8 => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        };
        self.entries.push(Entry { tag, kind, count: values.len() as u64, bytes });
    }

    pub fn text(&mut self, tag: u16, text: &str) {
        let bytes = [text.as_bytes(), &[0]].concat();
        self.entries.push(Entry { tag, kind: Kind::Ascii, count: bytes.len() as u64, bytes });
    }

    /// Places of the tiles, counted from the first.
    pub fn tiles(&mut self, places: Vec<u64>) {
        self.tiles = places;
        self.numbers(TILE_OFFSETS, Kind::Long8, self.tiles.clone());
    }

    /// Sets the position of the first tile in the file.
    pub fn shift_tiles(&mut self, first: u64) {
        for entry in self.entries.iter_mut().filter(|entry| entry.tag == TILE_OFFSETS) {
            entry.bytes = self.tiles.iter().flat_map(|at| (at + first).to_le_bytes()).collect();
        }
    }

    /// The geo tags.
    pub fn place(&mut self, place: &GeoTags) {
        let mut doubles = |tag, values: &[f64]| {
            if !values.is_empty() {
                let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                self.entries.push(Entry { tag, kind: Kind::Double, count: values.len() as u64, bytes });
            }
        };
        doubles(33550, &place.pixel_scale);
        doubles(33922, &place.tie_points);
        doubles(34264, &place.transformation);
        if !place.directory.is_empty() {
            self.numbers(34735, Kind::Short, place.directory.iter().map(|v| u64::from(*v)).collect());
        }
        if !place.doubles.is_empty() {
            let bytes = place.doubles.iter().flat_map(|v| v.to_le_bytes()).collect();
            let count = place.doubles.len() as u64;
            self.entries.push(Entry { tag: 34736, kind: Kind::Double, count, bytes });
        }
        if !place.ascii.is_empty() {
            self.text(34737, place.ascii.trim_end_matches('\0'));
        }
    }

    /// Bytes of the directory and the values behind it.
    pub fn length(&self) -> u64 {
        let behind: u64 = self.entries.iter().filter(|entry| entry.bytes.len() > 8).map(padded).sum();
        8 + 20 * self.entries.len() as u64 + 8 + behind
    }

    /// The bytes of a directory that lies at a place, with the place of the next one, or 0.
    pub fn encode(&self, at: u64, next: u64) -> Vec<u8> {
        let mut bytes = (self.entries.len() as u64).to_le_bytes().to_vec();
        let mut behind = Vec::new();
        let first = at + 8 + 20 * self.entries.len() as u64 + 8;
        for entry in &self.entries {
            bytes.extend(entry.tag.to_le_bytes());
            bytes.extend((entry.kind as u16).to_le_bytes());
            bytes.extend(entry.count.to_le_bytes());
            let mut value = entry.bytes.clone();
            if value.len() > 8 {
                value.resize(padded(entry) as usize, 0);
                bytes.extend((first + behind.len() as u64).to_le_bytes());
                behind.extend(value);
            } else {
                value.resize(8, 0);
                bytes.extend(value);
            }
        }
        bytes.extend(next.to_le_bytes());
        bytes.extend(behind);
        bytes
    }
}

/// Values begin at multiples of eight bytes.
fn padded(entry: &Entry) -> u64 {
    (entry.bytes.len() as u64).next_multiple_of(8)
}
