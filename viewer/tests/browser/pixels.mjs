// Pixels of screenshots, decoded by a blank page of the browser itself.

/** Looks at pictures: { compare(a, b): part of pixels that differ visibly, colours(a): number of clearly different colours }. */
export async function eyes(browser) {
  const page = await (await browser.newContext()).newPage();
  const look = (script, ...pictures) => page.evaluate(script, pictures.map((picture) => picture.toString("base64")));
  await page.evaluate(() => {
    globalThis.decode = async (text) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    };
  });
  return {
    compare: (a, b) =>
      look(async (pictures) => {
        const [first, second] = await Promise.all(pictures.map(globalThis.decode));
        let differing = 0;
        for (let k = 0; k < first.length; k += 4) {
          if (Math.max(...[0, 1, 2].map((c) => Math.abs(first[k + c] - second[k + c]))) > 24) differing += 1;
        }
        return differing / (first.length / 4);
      }, a, b),
    colours: (a) =>
      look(async ([picture]) => {
        const data = await globalThis.decode(picture);
        const seen = new Set();
        for (let k = 0; k < data.length; k += 4) seen.add(((data[k] >> 4) << 8) | ((data[k + 1] >> 4) << 4) | (data[k + 2] >> 4));
        return seen.size;
      }, a),
  };
}

/** A picture of the 3-D scene alone: the legends over it would lend a blank one their colours. */
export async function scenePicture(page) {
  return page.locator(".td-scene canvas").screenshot({ style: ".td-legends { visibility: hidden }" });
}
