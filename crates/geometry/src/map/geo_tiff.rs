//! GeoTIFF: pictures of heights with geo tags. The `tiff` crate decompresses strips and tiles (`picture`),
//! except those of LERC (`packing`); their meaning is read here and in `geo_keys`.

use super::geo_keys::GeoTags;
use super::packing::{self, Packing};
use super::picture::Picture;
use super::sheet::Sheet;
use super::{MOST_NODES, MapError, tiff_directory};
use std::io::{Read, Seek, SeekFrom};
use tiff::TiffError;
use tiff::decoder::{ChunkType, Decoder, Limits};
use tiff::tags::Tag;

pub(super) const FORMAT: &str = "GeoTIFF";
/// Number of pictures after the first that are checked for masks.
const MOST_PICTURES: usize = 64;
/// Mark of a smaller copy of another picture.
const REDUCED: u32 = 1;
/// XML of remarks by GDAL: scale, offset, unit.
const GDAL_METADATA: u16 = 42112;
/// Version of LERC, and the compression of its blobs.
const LERC_PARAMETERS: u16 = 50674;

/// Opens a GeoTIFF: reads its tags, decodes nothing.
pub(super) fn open<R: Read + Seek>(mut source: R) -> Result<(Sheet, Picture<R>), MapError> {
    tiff_directory::check(&mut source)?;
    refuse_others(&mut source)?;
    let mut tags = Tags(decoder(source)?);
    let (width, height) = tags.0.dimensions().map_err(damaged)?;
    let (columns, rows) = (width as usize, height as usize);
    let kind = tags.kind()?;
    let (compression, packing) = tags.compression()?;
    let geo_tags = tags.geo()?;
    let geo = geo_tags.georeference(rows)?;
    let (chunk, layout) = tags.chunk(columns, rows);
    let encoding = format!("{}, {layout}, {compression}", kind.0);
    let mut sheet = Sheet {
        place: geo.place,
        coordinates: geo.coordinates,
        south_first: geo.south_first,
        cautions: geo.cautions,
        no_data: tags.no_data()?,
        geo_tags: Some((geo_tags, geo.pixel_is_area)),
        ..Sheet::new(FORMAT, encoding, columns, rows)
    };
    sheet.encoding += if geo.pixel_is_area { ", pixel is area" } else { ", pixel is point" };
    if let Some(unit) = geo.height_unit {
        sheet.height_unit = unit;
    }
    tags.remarks(&mut sheet)?;
    let chunks = tags.chunks()?;
    let mut decoder = tags.0;
    let length = decoder.inner().seek(SeekFrom::End(0)).map_err(|error| damaged(error.into()))?;
    Ok((sheet, Picture { decoder, columns, rows, chunk, chunks, size: kind.1, packing, length }))
}

fn decoder<R: Read + Seek>(mut source: R) -> Result<Decoder<R>, MapError> {
    source.seek(SeekFrom::Start(0)).map_err(|error| damaged(error.into()))?;
    let decoder = Decoder::new(source).map_err(damaged)?;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MOST_NODES * 8;
    limits.intermediate_buffer_size = MOST_NODES * 8;
    Ok(decoder.with_limits(limits))
}

/// Masks would create holes that the first picture does not show, and with several pages it is unknown which
/// one is the map.
fn refuse_others(source: &mut (impl Read + Seek)) -> Result<(), MapError> {
    let mut decoder = decoder(source)?;
    for _ in 0..MOST_PICTURES {
        if !decoder.more_images() || decoder.next_image().is_err() {
            return Ok(());
        }
        let kind = decoder.find_tag_unsigned::<u32>(Tag::NewSubfileType).ok().flatten().unwrap_or(0);
        if kind & 4 != 0 {
            return Err(MapError::Unsupported {
                format: FORMAT,
                found: "a mask of valid pixels".into(),
                allowed: "a value that marks no data",
                hint: "gdalwarp -dstnodata -32768 IN.tif OUT.tif turns the mask into a mark",
            });
        }
        if kind & REDUCED == 0 {
            return Err(MapError::Unsupported {
                format: FORMAT,
                found: "more than one page".into(),
                allowed: "one picture of heights, with smaller copies of it if need be",
                hint: "gdal_translate GTIFF_DIR:1:IN.tif OUT.tif takes the first page",
            });
        }
    }
    Ok(())
}

/// The tags of the first picture.
struct Tags<R: Read + Seek>(Decoder<R>);

impl<R: Read + Seek> Tags<R> {
    fn unsigned(&mut self, tag: Tag) -> Result<Option<u16>, MapError> {
        self.0.find_tag_unsigned(tag).map_err(damaged)
    }

    /// The kind of heights in words, and their size in bytes.
    fn kind(&mut self) -> Result<(String, u64), MapError> {
        let refuse = |found: String, hint| {
            Err(MapError::Unsupported {
                format: FORMAT,
                found,
                allowed: "one band of whole or floating numbers of 8 to 64 bits",
                hint,
            })
        };
        let bands = self.unsigned(Tag::SamplesPerPixel)?.unwrap_or(1);
        if bands != 1 {
            return refuse(format!("{bands} bands"), "gdal_translate -b 1 IN.tif OUT.tif takes the first");
        }
        match self.unsigned(Tag::PhotometricInterpretation)? {
            Some(1) => {}
            Some(3) => {
                return refuse("a palette of colours".into(), "heights are needed, not a picture of them");
            }
            other => {
                let found = format!("colours (photometric interpretation {})", other.unwrap_or(0));
                return refuse(
                    found,
                    "heights are needed, not a picture of them; gdal_translate -co PHOTOMETRIC=MINISBLACK",
                );
            }
        }
        let bits = self.unsigned(Tag::BitsPerSample)?.unwrap_or(1);
        let letter = match self.0.find_tag_unsigned_vec::<u16>(Tag::SampleFormat).map_err(damaged)?.as_deref()
        {
            None | Some([1 | 4, ..]) => 'u',
            Some([2, ..]) => 'i',
            Some([3, ..]) => 'f',
            _ => return refuse("complex numbers".into(), "gdal_translate -ot Float32 keeps the real part"),
        };
        if !matches!(bits, 8 | 16 | 32 | 64) {
            return refuse(format!("numbers of {bits} bits"), "gdal_translate -ot Float32 IN.tif OUT.tif");
        }
        Ok((format!("{letter}{bits}"), u64::from(bits / 8)))
    }

    /// The compression in words, and its decoder.
    fn compression(&mut self) -> Result<(String, Packing), MapError> {
        let number = self.unsigned(Tag::Compression)?.unwrap_or(1);
        let parameters =
            self.0.find_tag_unsigned_vec::<u32>(Tag::Unknown(LERC_PARAMETERS)).map_err(damaged)?;
        let wrap = parameters.as_deref().and_then(|list| list.get(1)).copied();
        let (name, packing) = Packing::of(number, wrap).map_err(|name| MapError::Unsupported {
            format: FORMAT,
            found: format!("the compression {name}"),
            allowed: packing::ALLOWED,
            hint: "gdal_translate -co COMPRESS=DEFLATE IN.tif OUT.tif",
        })?;
        let predictor = match self.unsigned(Tag::Predictor)? {
            _ if matches!(packing, Packing::Lerc(_)) => "",
            Some(2) => " with differences",
            Some(3) => " with floating differences",
            _ => "",
        };
        Ok((format!("{name}{predictor}"), packing))
    }

    /// Columns and rows of a strip or tile, and the layout in words.
    fn chunk(&mut self, columns: usize, rows: usize) -> ([usize; 2], String) {
        let (width, height) = self.0.chunk_dimensions();
        match self.0.get_chunk_type() {
            ChunkType::Tile => ([width as usize, height as usize], format!("tiles of {width} × {height}")),
            ChunkType::Strip => {
                let height = (height as usize).min(rows);
                ([columns, height], format!("strips of {height} rows"))
            }
        }
    }

    fn chunks(&mut self) -> Result<Vec<(u64, u64)>, MapError> {
        let (offsets, counts) = match self.0.get_chunk_type() {
            ChunkType::Tile => (Tag::TileOffsets, Tag::TileByteCounts),
            ChunkType::Strip => (Tag::StripOffsets, Tag::StripByteCounts),
        };
        let offsets = self.0.get_tag_u64_vec(offsets).map_err(damaged)?;
        let counts = self.0.get_tag_u64_vec(counts).map_err(damaged)?;
        Ok(offsets.into_iter().zip(counts).collect())
    }

    fn doubles(&mut self, tag: Tag) -> Result<Vec<f64>, MapError> {
        let value = self.0.find_tag(tag).map_err(damaged)?;
        value.map_or(Ok(Vec::new()), |value| value.into_f64_vec().map_err(damaged))
    }

    /// A text in any encoding: names in it are only displayed.
    fn text(&mut self, tag: Tag) -> Result<Option<String>, MapError> {
        let Some(value) = self.0.find_tag(tag).map_err(damaged)? else { return Ok(None) };
        Ok(value.into_string().ok())
    }

    fn geo(&mut self) -> Result<GeoTags, MapError> {
        let directory = self.0.find_tag_unsigned_vec(Tag::GeoKeyDirectoryTag).map_err(damaged)?;
        Ok(GeoTags {
            pixel_scale: self.doubles(Tag::ModelPixelScaleTag)?,
            tie_points: self.doubles(Tag::ModelTiepointTag)?,
            transformation: self.doubles(Tag::ModelTransformationTag)?,
            directory: directory.unwrap_or_default(),
            doubles: self.doubles(Tag::GeoDoubleParamsTag)?,
            ascii: self.text(Tag::GeoAsciiParamsTag)?.unwrap_or_default(),
        })
    }

    fn no_data(&mut self) -> Result<Option<f64>, MapError> {
        let Some(text) = self.text(Tag::GdalNodata)? else { return Ok(None) };
        let text = text.trim_matches(['\0', ' ', '\n']);
        let value = text.parse().map_err(|_| MapError::Damaged {
            format: FORMAT,
            why: format!("its mark for no data is `{text}`"),
        })?;
        Ok(Some(value))
    }

    /// Scale, offset and unit of the heights, as GDAL notes them.
    fn remarks(&mut self, sheet: &mut Sheet) -> Result<(), MapError> {
        let xml = self.text(Tag::Unknown(GDAL_METADATA))?.unwrap_or_default();
        for item in xml.split("<Item ").skip(1) {
            let Some((attributes, rest)) = item.split_once('>') else { continue };
            let value = rest.split("</Item>").next().unwrap_or("").trim();
            let number = || {
                let number: Option<f64> = value.parse().ok().filter(|x: &f64| x.is_finite());
                number.ok_or(MapError::Damaged {
                    format: FORMAT,
                    why: format!("its scale or offset is `{value}`"),
                })
            };
            match attributes {
                a if a.contains("role=\"scale\"") => sheet.scale = number()?,
                a if a.contains("role=\"offset\"") => sheet.offset = number()?,
                a if a.contains("role=\"unittype\"") => sheet.height_unit = height_unit(value)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// Size of a unit of heights by its name.
fn height_unit(name: &str) -> Result<(String, f64), MapError> {
    let size = match name.to_ascii_lowercase().as_str() {
        "" | "m" | "metre" | "meter" | "metres" | "meters" => 1.0,
        "km" | "kilometre" | "kilometer" | "kilometres" | "kilometers" => 1000.0,
        "dm" => 0.1,
        "cm" => 0.01,
        "mm" => 0.001,
        "ft" | "foot" | "feet" => 0.3048,
        "us-ft" | "us survey foot" | "us_survey_foot" | "ftus" => 1200.0 / 3937.0,
        _ => {
            return Err(MapError::Unsupported {
                format: FORMAT,
                found: format!("heights in `{name}`"),
                allowed: "m, km, dm, cm, mm, ft, us-ft",
                hint: "gdal_edit.py -units m, after gdal_translate -scale",
            });
        }
    };
    Ok((name.into(), size))
}

/// The decoder's error as a map error.
pub(super) fn damaged(error: TiffError) -> MapError {
    let why = match error {
        TiffError::LimitsExceeded | TiffError::IntSizeError => {
            "a part of it is larger than any map that is read; it is either damaged or gigantic".to_string()
        }
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it ends too early".into()
        }
        other => other.to_string(),
    };
    MapError::Damaged { format: FORMAT, why }
}
