"""Layers of a mobility map are what other tools take them for: valid Cloud-Optimised GeoTIFFs in the place of the map, with the values that the program states."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import rasterio
from rio_cogeo import cogeo

TOUCHDOWN = Path(os.environ.get("TOUCHDOWN", "target/release/touchdown")).resolve()
LAYERS = ["slip", "drift_deg", "energy_j_per_m", "p_stuck", "p_tip", "interval", "validity"]
NODES, SPACING, RISE = 600, 1.0, 0.1
CORNER = (310_000.0, 2_040_000.0)


def touchdown(*words: str, folder: Path) -> str:
    done = subprocess.run([TOUCHDOWN, "mobility", *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ground that rises by 10 % to the east, with a hole, on Mars; one layer for each response."""
    folder = tmp_path_factory.mktemp("mobility")
    heights = np.tile(np.float32(RISE * SPACING) * np.arange(NODES, dtype=np.float32), (NODES, 1))
    heights[100:110, 200:220] = -32768.0
    mars = 'PROJCS["Mars",GEOGCS["Mars 2000",DATUM["Mars",SPHEROID["Mars",3396190,0]],PRIMEM["Reference",0],UNIT["degree",0.0174532925199433]],PROJECTION["Equirectangular"],PARAMETER["standard_parallel_1",0],PARAMETER["central_meridian",0],UNIT["metre",1]]'
    place = rasterio.transform.from_origin(*CORNER, SPACING, SPACING)
    with rasterio.open(
        folder / "ramp.tif", "w", driver="GTiff", width=NODES, height=NODES, count=1, dtype="float32",
        crs=rasterio.crs.CRS.from_wkt(mars), transform=place, nodata=-32768.0, tiled=True,
    ) as file:
        file.write(heights, 1)
    touchdown(
        "ramp.tif", "--soil", "mer-b-sandy-loam", "--cases", "12", "--quiet", "--out", "map", folder=folder
    )
    return folder


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_are_valid_and_lie_where_the_map_lies(folder: Path, layer: str) -> None:
    file = folder / "map" / f"{layer}.tif"
    valid, errors, warnings = cogeo.cog_validate(str(file), strict=True)
    assert valid and not errors and not warnings, (errors, warnings)
    with rasterio.open(folder / "ramp.tif") as heights, rasterio.open(file) as values:
        assert (values.width, values.height, values.count) == (NODES, NODES, 8)
        assert values.crs == heights.crs and values.bounds == heights.bounds
        assert values.nodata == -32768 and values.overviews(1)
        band = values.read(1, masked=True)
        # The hole, its surroundings and the border are unknown; the rest is not.
        assert band.mask[105, 210] and band.mask[0, 0] and not band.mask[300, 300]
        assert all("STATISTICS_MEAN" in values.tags(k) for k in range(1, 9))


def test_values_are_those_of_a_query(folder: Path) -> None:
    slope = float(np.degrees(np.arctan(RISE)))
    for band, heading in enumerate(range(0, 360, 45), start=1):
        # The ground rises to the east: heading 90 clockwise from north is uphill.
        words = ["query", "map", "--slope-deg", f"{slope:.4f}", "--heading-deg", str(heading - 90), "--json"]
        answer = json.loads(touchdown(*words, folder=folder))
        for layer in ["slip", "drift_deg", "energy_j_per_m", "p_stuck"]:
            with rasterio.open(folder / "map" / f"{layer}.tif") as values:
                count = values.read(band)[300, 300]
                found = count * values.scales[band - 1] + values.offsets[band - 1]
                # Half a count of the file, and the last digits of the slope.
                assert abs(found - answer[layer]) <= 0.51 * values.scales[band - 1] + 1e-3 * abs(answer[layer]), (
                    layer, heading, found, answer[layer],
                )
