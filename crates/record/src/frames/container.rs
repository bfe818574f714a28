//! Reads an MCAP file that may be truncated or damaged: every message of every intact chunk, and a
//! description of what is lost.
//!
//! Records are framed by their lengths and chunks carry checksums, so that damage inside a chunk loses only
//! that chunk.

use super::write::CHANNELS;
use crate::error::{Doing, RecordError};
use mcap::records::{MessageHeader, Record, op};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Bytes of a record before its content: its type and its length.
const HEAD: usize = 9;
/// Chunks larger than this, unpacked, are refused.
const MOST_BYTES: u64 = 1 << 30;

/// A message of a channel that this program knows (its number in `CHANNELS`), or a gap.
pub(crate) enum Event<'a> {
    Message { channel: usize, header: MessageHeader, data: &'a [u8] },
    Gap,
}

/// Passes on every message of a file that can be read; returns a description of what cannot. One record is in
/// memory at a time.
pub(crate) fn walk(path: &Path, each: &mut dyn FnMut(Event)) -> Result<Vec<String>, RecordError> {
    let reading = || format!("reading {}", path.display());
    let mut walk = Walk { each, schemas: BTreeMap::new(), channels: BTreeMap::new(), notes: Vec::new() };
    let file = File::open(path).doing(reading)?;
    let length = file.metadata().doing(reading)?.len();
    let mut file = BufReader::new(file).take(length);
    let mut magic = [0; mcap::MAGIC.len()];
    if file.read_exact(&mut magic).is_err() || magic != mcap::MAGIC {
        return Ok(vec!["is not an MCAP file".into()]);
    }
    // After the data come index tables, which are not needed here.
    let (mut ended, mut body) = (false, Vec::new());
    while !ended {
        let Some(kind) = next(&mut file, &mut body).doing(reading)? else { break };
        ended = kind == op::DATA_END;
        walk.record(kind, &body);
    }
    if !ended {
        walk.notes.push("ends in the middle".into());
        (walk.each)(Event::Gap);
    }
    Ok(walk.notes)
}

/// Reads a record's content and returns its type; none where the file ends first.
fn next(file: &mut io::Take<BufReader<File>>, body: &mut Vec<u8>) -> io::Result<Option<u8>> {
    let mut head = [0; HEAD];
    if file.limit() < HEAD as u64 {
        return Ok(None);
    }
    file.read_exact(&mut head)?;
    let [kind, length @ ..] = head;
    let length = u64::from_le_bytes(length);
    if length > file.limit() {
        return Ok(None);
    }
    body.clear();
    file.take(length).read_to_end(body)?;
    Ok(Some(kind))
}

/// The first record: its type, its content, and what follows.
fn split(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let length = u64::from_le_bytes(head[1..].try_into().ok()?);
    let (body, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    Some((head[0], body, after))
}

struct Walk<'a> {
    each: &'a mut dyn FnMut(Event),
    /// Names by the file's numbers.
    schemas: BTreeMap<u16, String>,
    /// Our channels by the file's numbers.
    channels: BTreeMap<u16, usize>,
    notes: Vec<String>,
}

impl Walk<'_> {
    fn record(&mut self, kind: u8, body: &[u8]) {
        // Other records are not parsed: they are not needed, and the library trusts some of their lengths.
        if ![op::SCHEMA, op::CHANNEL, op::MESSAGE, op::CHUNK].contains(&kind) {
            return;
        }
        if !lengths_fit(kind, body) {
            self.notes.push("has a record that cannot be read: a text is longer than its record".into());
            return (self.each)(Event::Gap);
        }
        match mcap::read::parse_record(kind, body) {
            Ok(Record::Schema { header, .. }) => {
                self.schemas.insert(header.id, header.name);
            }
            Ok(Record::Channel(channel)) => {
                let schema = self.schemas.get(&channel.schema_id).map(String::as_str);
                let ours = CHANNELS.iter().position(|c| c.0 == channel.topic && Some(c.1) == schema);
                if let Some(ours) = ours {
                    self.channels.insert(channel.id, ours);
                }
            }
            Ok(Record::Message { header, data }) => {
                if let Some(channel) = self.channels.get(&header.channel_id) {
                    (self.each)(Event::Message { channel: *channel, header, data: &data });
                }
            }
            Ok(Record::Chunk { header, data }) => match unpack(&header, &data) {
                Ok(records) => self.records(&records),
                Err(why) => self.lose(&header, why),
            },
            Ok(_) => {}
            Err(error) => {
                self.notes.push(format!("has a record that cannot be read: {error}"));
                (self.each)(Event::Gap);
            }
        }
    }

    fn records(&mut self, mut rest: &[u8]) {
        while let Some((kind, body, after)) = split(rest) {
            if kind != op::CHUNK {
                self.record(kind, body);
            }
            rest = after;
        }
    }

    fn lose(&mut self, header: &mcap::records::ChunkHeader, why: &str) {
        let [from, to] = [header.message_start_time, header.message_end_time].map(|t| t as f64 * 1e-9);
        self.notes.push(format!("is damaged between t = {from:.3} s and {to:.3} s ({why})"));
        (self.each)(Event::Gap);
    }
}

fn unpack(header: &mcap::records::ChunkHeader, data: &[u8]) -> Result<Vec<u8>, &'static str> {
    if header.uncompressed_size > MOST_BYTES {
        return Err("a chunk too large to believe");
    }
    let records = match header.compression.as_str() {
        "" => data.to_vec(),
        "zstd" => zstd::bulk::decompress(data, header.uncompressed_size as usize)
            .map_err(|_| "a chunk that cannot be unpacked")?,
        _ => return Err("a chunk in an unknown compression"),
    };
    let mut sum = flate2::Crc::new();
    sum.update(&records);
    let sound = header.uncompressed_crc == 0 || header.uncompressed_crc == sum.sum();
    if sound { Ok(records) } else { Err("a chunk with a wrong checksum") }
}

/// Whether texts and tables of a record end inside it. The library allocates their lengths before it reads
/// them, so that a damaged length would allocate gigabytes.
fn lengths_fit(kind: u8, body: &[u8]) -> bool {
    // Bytes before the first text, number of texts or byte strings, and whether a table of texts follows.
    let (ahead, texts, has_table) = match kind {
        op::SCHEMA => (2, 3, false),
        op::CHANNEL => (4, 2, true),
        op::CHUNK => (28, 1, false),
        _ => return true,
    };
    let Some(mut rest) = body.get(ahead..) else { return false };
    for _ in 0..texts {
        let Some((_, after)) = counted(rest) else { return false };
        rest = after;
    }
    if !has_table {
        return true;
    }
    let Some((mut table, _)) = counted(rest) else { return false };
    while !table.is_empty() {
        let Some((_, after)) = counted(table) else { return false };
        table = after;
    }
    true
}

/// Bytes preceded by their length, and what follows them.
fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}
