"""Writes the map files of the tests beside it, with GDAL (through rasterio) and tifffile. Needs: numpy, rasterio, tifffile.

    python3 make.py

Heights follow one formula, which the tests recompute: at column c and row r from the north,
    z(c, r) = 12 sin(0.31 c) + 7 cos(0.23 r) + 0.05 c r   in metres,
rounded to what the file stores. HOLES have no data. Versions that wrote the files: README.md.
"""
import numpy as np
import rasterio
import tifffile
from rasterio.transform import Affine

COLUMNS, ROWS = 24, 20
HOLES = [(3, 4), (23, 0), (10, 19), (11, 19)]  # column, row from the north

MARS = ('PROJCS["Equirectangular MARS",GEOGCS["GCS_MARS",DATUM["D_MARS",SPHEROID["MARS_localRadius",3396190,0]],'
        'PRIMEM["Reference_Meridian",0],UNIT["degree",0.0174532925199433]],PROJECTION["Equirectangular"],'
        'PARAMETER["standard_parallel_1",0],PARAMETER["central_meridian",180],PARAMETER["false_easting",0],'
        'PARAMETER["false_northing",0],UNIT["metre",1]]')
MOON = ('PROJCS["Moon south pole",GEOGCS["GCS_Moon_2000",DATUM["D_Moon_2000",SPHEROID["Moon_2000_IAU_IAG",1737400,0]],'
        'PRIMEM["Reference_Meridian",0],UNIT["degree",0.0174532925199433]],PROJECTION["Polar_Stereographic"],'
        'PARAMETER["latitude_of_origin",-90],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],'
        'PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]')
MARS_DEGREES = ('GEOGCS["GCS_Mars_2000",DATUM["D_Mars_2000",SPHEROID["Mars_2000_IAU_IAG",3396190,169.89444722361179]],'
                'PRIMEM["Reference_Meridian",0],UNIT["degree",0.0174532925199433]]')
FEET = 'LOCAL_CS["site grid",UNIT["foot",0.3048]]'


def heights():
    c, r = np.meshgrid(np.arange(COLUMNS), np.arange(ROWS))
    return 12 * np.sin(0.31 * c) + 7 * np.cos(0.23 * r) + 0.05 * c * r


def gdal(name, data, crs, transform, scale=None, offset=None, tags=None, units=None, **profile):
    data = np.atleast_3d(data.T).T if data.ndim == 2 else data
    profile = dict(driver="GTiff", count=data.shape[0], width=data.shape[2], height=data.shape[1], dtype=data.dtype, **profile)
    if crs:
        profile["crs"] = rasterio.crs.CRS.from_wkt(crs)
    if transform is not None:
        profile["transform"] = transform
    with rasterio.open(name, "w", **profile) as file:
        file.write(data)
        if scale is not None:
            file.scales, file.offsets = (scale,), (offset,)
        if units:
            file.units = (units,)
        file.update_tags(**(tags or {}))


def with_holes(data, mark):
    data = data.copy()
    for c, r in HOLES:
        data[r, c] = mark
    return data


def main():
    z = heights()
    f32 = z.astype("float32")
    place = Affine(2.0, 0, -172400.0, 0, -2.0, 1087250.0)  # corner of the north-western pixel
    deflate3 = dict(tiled=True, blockxsize=16, blockysize=16, compress="deflate", predictor=3)
    least = float(np.finfo("float32").min)
    gdal("mars_f32_tiled_deflate.tif", with_holes(f32, least), MARS, place, nodata=least, **deflate3)
    counts = np.rint((z + 100) / 0.01).astype("int16")
    gdal("moon_i16_lzw_scaled.tif", with_holes(counts, -32768), MOON, Affine(5, 0, -3000, 0, -5, 2000), nodata=-32768,
         scale=0.01, offset=-100.0, compress="lzw", predictor=2, blockysize=7)
    gdal("bigtiff_f64.tif", z, MARS, place, BIGTIFF="YES", compress="packbits", blockysize=8)
    gdal("big_endian_f32_strips.tif", f32, MARS, place, ENDIANNESS="BIG", compress="lzw", predictor=3, blockysize=11)
    gdal("point_u16.tif", np.rint(z * 100 + 20000).astype("uint16"), MOON, Affine(5, 0, -3000, 0, -5, 2000),
         scale=0.01, offset=-200.0, tags=dict(AREA_OR_POINT="Point"), compress="deflate", predictor=2)
    gdal("i32_millimetres.tif", np.rint(z * 1000).astype("int32"), MOON, Affine(5, 0, -3000, 0, -5, 2000), units="mm", compress="deflate")
    east = 1.0 / (3396190 * np.pi / 180)  # degrees of one metre along the equator
    north = east / (1 - 1 / 169.89444722361179) ** 2  # and across it: the meridian's radius there is b squared over a
    gdal("mars_degrees.tif", f32, MARS_DEGREES, Affine(east, 0, 137.4, 0, -north, ROWS / 2 * north), compress="deflate")
    gdal("mars_degrees_north.tif", f32, MARS_DEGREES, Affine(east, 0, 137.4, 0, -north, 45.0), compress="deflate")
    gdal("feet.tif", f32, FEET, Affine(10, 0, 0, 0, -10, 300), compress="deflate")
    gdal("south_up.tif", f32[::-1], MARS, Affine(2, 0, -172400, 0, 2, 1087250.0 - 2 * ROWS), compress="deflate")
    gdal("rotated.tif", f32, MARS, place @ Affine.rotation(20), compress="deflate")
    gdal("not_square.tif", f32, MARS, Affine(2, 0, 0, 0, -2.5, 0), compress="deflate")
    gdal("not_georeferenced.tif", f32, None, None, compress="deflate")
    gdal("two_bands.tif", np.stack([f32, f32]), MARS, place, compress="deflate")
    gdal("complex.tif", f32.astype("complex64"), MARS, place, compress="deflate")
    gdal("all_no_data.tif", np.full_like(f32, least), MARS, place, nodata=least, compress="deflate")
    gdal("zstd.tif", with_holes(f32, least), MARS, place, nodata=least, tiled=True, blockxsize=16, blockysize=16, compress="zstd", predictor=3)
    gdal("lerc.tif", f32, MARS, place, compress="lerc", blockysize=7)
    gdal("lerc_zstd_holes.tif", with_holes(f32, np.nan), MARS, place, nodata=np.nan, tiled=True, blockxsize=16, blockysize=16, compress="lerc_zstd")
    gdal("lerc_deflate_f64.tif", z, MARS, place, compress="lerc_deflate", MAX_Z_ERROR=0.01)
    gdal("lzma.tif", f32, MARS, place, compress="lzma")
    with rasterio.open("gigantic.tif", "w", driver="GTiff", width=200_000, height=150_000, count=1, dtype="int16", crs=rasterio.crs.CRS.from_wkt(MARS),
                       transform=place, SPARSE_OK="TRUE", blockysize=150_000):
        pass
    with rasterio.open("sparse.tif", "w", driver="GTiff", width=64, height=64, count=1, dtype="float32", nodata=-1.0,
                       crs=rasterio.crs.CRS.from_wkt(MARS), transform=place, SPARSE_OK="TRUE", tiled=True, blockxsize=32, blockysize=32) as file:
        file.write(f32[:20, :20], 1, window=rasterio.windows.Window(0, 0, 20, 20))
    u8 = np.rint(z + 60).astype("uint8")
    gdal("earth_u8.tif", u8, rasterio.crs.CRS.from_epsg(32633).to_wkt(), Affine(30, 0, 500000, 0, -30, 5400000))
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True), rasterio.open("masked.tif", "w", driver="GTiff", width=COLUMNS, height=ROWS, count=1,
                                                                    dtype="uint8", transform=place) as file:
        file.write(u8, 1)
        file.write_mask(u8 > 60)
    with rasterio.open("palette.tif", "w", driver="GTiff", width=COLUMNS, height=ROWS, count=1, dtype="uint8", transform=place, photometric="palette") as file:
        file.write_colormap(1, {k: (k, k, k, 255) for k in range(256)})
        file.write(u8, 1)
    # Another writer: geo tags by hand, strips, the pixel's coordinates in its middle.
    keys = (1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3076, 0, 1, 9001)
    tifffile.imwrite("tifffile_f32.tif", f32, compression="zlib", rowsperstrip=9, metadata=None, extratags=[
        (33550, 12, 3, (2.0, 2.0, 0.0), True), (33922, 12, 6, (0, 0, 0, 500.0, 900.0, 0), True), (34735, 3, len(keys), keys, True)])
    np.save("f4.npy", f32)
    np.save("fortran_i2.npy", np.asfortranarray(np.rint(z * 100).astype("<i2")))
    np.save("big_endian_f8.npy", with_holes(z, np.nan).astype(">f8"))
    with rasterio.open("counts_u16.png", "w", driver="PNG", width=COLUMNS, height=ROWS, count=1, dtype="uint16") as file:
        file.write(np.rint(z * 100 + 20000).astype("uint16"), 1)


if __name__ == "__main__":
    main()
