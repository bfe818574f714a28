//! ASCII grids: where nodes lie, which way rows run, what is no data; broken files and the line they break in; any text at all.

use super::*;
use crate::{Missing, Relief};
use proptest::prelude::*;

const HEADER: &str = "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n";

fn with_heights(heights: &str) -> Result<Raster, AsciiGridError> {
    parse_ascii_grid(&format!("{HEADER}{heights}"))
}

/// Rows run from north to south; heights belong to the middle of cells.
#[test]
fn first_row_is_the_northern_one() {
    let map = with_heights("1 2 3\n4 5 6.5\n").expect("well formed");
    assert_eq!((map.columns(), map.rows(), map.spacing(), map.origin()), (3, 2, 2.0, [11.0, 21.0]));
    assert_eq!([map.node(0, 0), map.node(2, 0), map.node(0, 1)], [Some(4.0), Some(6.5), Some(1.0)]);
    let relief = Relief::Raster(map);
    assert_eq!(relief.height(11.0, 23.0), Some(1.0));
    assert_eq!(relief.height(12.0, 22.0), Some(3.0));
    assert_eq!(relief.why_missing(10.5, 22.0), Some(Missing::OffMap));
}

/// `…center` names the first node itself; keys come in any order and case; lines break anywhere, end in any way, and may be empty.
#[test]
fn layout_is_free() {
    let text = "\u{feff}\r\nNROWS   2\r\nYLLCENTER\t-1.5\r\n\r\nNCols 3\r\nCELLSIZE 5e-1\r\nxllCenter +1e2\r\n\r\n 1 2\r\n3 4 5 6\r\n\r\n";
    let map = parse_ascii_grid(text).expect("well formed");
    assert_eq!((map.origin(), map.spacing()), ([100.0, -1.5], 0.5));
    assert_eq!([map.node(0, 0), map.node(2, 1)], [Some(4.0), Some(3.0)]);
}

/// The no-data value makes holes however it is written: given, by default, as a value that is not a number, or as the least float of 32 bits.
#[test]
fn no_data_makes_holes() {
    let cases = [
        ("NODATA_value -9999", "-9999.000"),
        ("", "-9999"),
        ("nodata_value 0", "-0"),
        ("NODATA_value nan", "NaN"),
        ("NODATA_value -3.4028234663852886e+38", "-3.40282e+38"),
        ("NODATA_value -1.797e308", "-inf"),
    ];
    for (key, word) in cases {
        let header = HEADER.replace("NODATA_value -9999", key);
        let map = parse_ascii_grid(&format!("{header}{word} 2 3\n4 5 6\n")).expect(word);
        assert_eq!([map.node(0, 1), map.node(1, 1), map.node(0, 0)], [None, Some(2.0), Some(4.0)], "{word}");
        let relief = Relief::Raster(map);
        assert_eq!(relief.why_missing(12.0, 22.0), Some(Missing::Hole));
        assert_eq!(relief.why_missing(14.0, 22.0), None);
    }
}

/// Broken headers are refused with line, what was found and what is allowed.
#[test]
fn broken_headers_are_named() {
    let long = format!("ncols {}", "9".repeat(60));
    let cases = [
        ("nrows 2", "nrows two", "line 2: nrows is `two`, allowed: a whole number, at least 2"),
        ("ncols 3", "ncols 1", "line 1: ncols is `1`, allowed: a whole number, at least 2"),
        ("ncols 3", "ncols -3", "line 1: ncols is `-3`, allowed: a whole number, at least 2"),
        ("ncols 3", "ncols 3 4", "line 1: ncols is `3 4`, allowed: a whole number, at least 2"),
        ("ncols 3", "ncols", "line 1: ncols is ``, allowed: a whole number, at least 2"),
        (
            "ncols 3",
            &long,
            "line 1: ncols is `9999999999999999999999999999999999999999…`, allowed: a whole number, at least 2",
        ),
        ("cellsize 2", "cellsize 0", "line 5: cellsize is `0`, allowed: a number > 0"),
        ("cellsize 2", "cellsize nan", "line 5: cellsize is `nan`, allowed: a number > 0"),
        ("xllcorner 10", "xllcorner inf", "line 3: xllcorner is `inf`, allowed: a finite number"),
        ("yllcorner 20", "xllcenter 11", "line 4: found xllcenter again, allowed: once"),
        (
            "cellsize 2",
            "cell_size 2",
            "line 5: found the key `cell_size`, allowed: ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, \
             cellsize, NODATA_value",
        ),
        (
            "yllcorner 20",
            "",
            "line 7: the header ends without yllcorner or yllcenter, allowed: ncols, nrows, xllcorner or xllcenter, \
             yllcorner or yllcenter, cellsize, NODATA_value",
        ),
    ];
    for (good, bad, message) in cases {
        let text = format!("{}1 2 3\n4 5 6\n", HEADER.replace(good, bad));
        assert_eq!(parse_ascii_grid(&text).expect_err(bad).to_string(), message);
    }
}

/// Broken heights are refused with their line; where each row has a line of its own, the line with the wrong number of them is named.
#[test]
fn broken_heights_are_named() {
    let cases = [
        ("1 2 3\n4 x 6\n", "line 8: found the height `x`, allowed: a finite number, or the no-data value"),
        (
            "1,5 2 3\n4 5 6\n",
            "line 7: found the height `1,5`, allowed: a finite number, or the no-data value",
        ),
        (
            "1 2 3\n4 5 1e999\n",
            "line 8: found the height `1e999`, allowed: a finite number, or the no-data value",
        ),
        (
            "1 2 3\n4 5 nan\n",
            "line 8: found the height `nan`, allowed: a finite number, or the no-data value",
        ),
        ("1 2 3\n\n4 5\n", "line 9: found 2 heights, allowed: ncols = 3"),
        ("1 2 3 4\n4 5 6\n", "line 7: found 4 heights, allowed: ncols = 3"),
        ("1 2 3\n", "line 7: the text ends after 3 heights, allowed: ncols x nrows = 3 x 2"),
        ("1 2 3\n4 5 6\n7 8 9\n", "line 9: the text ends after 9 heights, allowed: ncols x nrows = 3 x 2"),
        ("", "line 6: the text ends after 0 heights, allowed: ncols x nrows = 3 x 2"),
    ];
    for (heights, message) in cases {
        assert_eq!(with_heights(heights).expect_err(heights).to_string(), message);
    }
}

/// A header that promises more than memory can hold is refused for what is not there, without asking for the memory.
#[test]
fn promises_take_no_memory() {
    let text = HEADER.replace("ncols 3", &format!("ncols {}", usize::MAX)) + "1 2 3\n";
    assert!(matches!(parse_ascii_grid(&text), Err(AsciiGridError::Count { found: 3, .. })));
    assert!(matches!(parse_ascii_grid(""), Err(AsciiGridError::MissingKey { line: 1, key: "cellsize" })));
}

/// Lines as they might stand in a file, right and wrong.
fn line() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "ncols",
        "nrows",
        "xllcorner",
        "xllcenter",
        "yllcorner",
        "yllcenter",
        "cellsize",
        "NODATA_value",
        "dx",
        "",
    ]);
    let value = prop::sample::select(vec![
        "2", "3", "0.5", "1e308", "-1e308", "nan", "inf", "-9999", "1 2", "", "é", "\u{0}",
    ]);
    (key, value).prop_map(|(key, value)| format!("{key} {value}"))
}

proptest! {
    /// Any text is read or refused, and refusals print.
    #[test]
    fn arbitrary_text(text in "\\PC{0,200}") {
        if let Err(error) = parse_ascii_grid(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    /// Any arrangement of known keys and odd values is read or refused; what is read has as many heights as it says.
    #[test]
    fn arbitrary_lines(lines in prop::collection::vec(line(), 0..16), complete: bool) {
        let header = if complete { HEADER } else { "" };
        if let Ok(map) = parse_ascii_grid(&format!("{header}{}", lines.join("\n"))) {
            prop_assert!(map.rows() >= 2 && map.columns() >= 2);
            // Neither the far corner nor a place beyond it brings the map down.
            let relief = Relief::Raster(map);
            let _ = relief.height(15.0, 23.0);
            prop_assert_eq!(relief.height(f64::MAX, f64::MIN), None);
        }
    }

    /// A map that is written is read again, node by node.
    #[test]
    fn what_is_written_is_read(heights in prop::collection::vec(-1e4..1e4f64, 12), columns in 2..=6usize) {
        prop_assume!(12 % columns == 0);
        let rows = 12 / columns;
        let words: Vec<String> = heights.iter().map(f64::to_string).collect();
        let body: Vec<String> = words.chunks(columns).map(|row| row.join(" ")).collect();
        let text = format!("ncols {columns}\nnrows {rows}\nxllcenter 0\nyllcenter 0\ncellsize 1\n{}\n", body.join("\n"));
        let map = parse_ascii_grid(&text);
        prop_assert!(map.is_ok());
        let map = map.expect("read");
        for (k, height) in heights.iter().enumerate() {
            prop_assert_eq!(map.node(k % columns, rows - 1 - k / columns), Some(*height));
        }
    }
}
