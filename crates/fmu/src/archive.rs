//! The archive: a zip file of a few entries, and the folder of a platform's library in it.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

use crate::plan::Fmi;

/// Folder of this platform's library, as the standard names it. FMI 2.0 knows processors by their bits alone.
pub fn platform(fmi: Fmi) -> String {
    let (os, short) = match std::env::consts::OS {
        "macos" => ("darwin", "darwin"),
        "windows" => ("windows", "win"),
        os => (os, os),
    };
    match fmi {
        Fmi::Three => format!("{}-{os}", std::env::consts::ARCH),
        Fmi::Two => format!("{short}{}", usize::BITS),
    }
}

/// First entry of an archive.
pub const DESCRIPTION: &str = "modelDescription.xml";

/// Whether bytes are an archive that `zip` made with the description first.
pub fn is_fmu(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") && bytes.get(30..30 + DESCRIPTION.len()) == Some(DESCRIPTION.as_bytes())
}

/// A zip file. Dates are those of 1980-01-01, so that equal contents give equal bytes.
pub fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    const DATE: u32 = (1 << 5 | 1) << 16;
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        // Writing into memory cannot fail.
        let _ = encoder.write_all(content);
        let packed = encoder.finish().unwrap_or_default();
        let offset = out.len() as u32;
        // Version 2.0, UTF-8 names, deflate.
        let mut common = Vec::new();
        [20u16, 0x800, 8].iter().for_each(|v| common.extend(v.to_le_bytes()));
        let sizes = [DATE, crc.sum(), packed.len() as u32, content.len() as u32];
        sizes.iter().for_each(|v| common.extend(v.to_le_bytes()));
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        out.extend(0x0403_4b50u32.to_le_bytes());
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(packed);
        directory.extend(0x0201_4b50u32.to_le_bytes());
        directory.extend(20u16.to_le_bytes());
        directory.extend(&common);
        // No comment, disk 0, no attributes.
        directory.extend([0u8; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (out.len() as u32, files.len() as u16);
    out.extend(&directory);
    out.extend(0x0605_4b50u32.to_le_bytes());
    out.extend([0u8; 4]);
    [count, count].iter().for_each(|v| out.extend(v.to_le_bytes()));
    [directory.len() as u32, start].iter().for_each(|v| out.extend(v.to_le_bytes()));
    out.extend(0u16.to_le_bytes());
    out
}
