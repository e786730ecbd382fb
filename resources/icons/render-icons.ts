import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';

/**
 * Makes the pictures of each system out of the drawings in this folder, with a browser as the painter. To be run after a
 * drawing has changed: `npm run icons`. CHROMIUM_BINARY names the browser.
 */
const HERE = import.meta.dirname;
const APP_SIZES = [16, 32, 48, 64, 128, 256, 512, 1024];
const ICO_SIZES = [16, 32, 48, 64, 128, 256];
/** Types of an ICNS file by the pixels of their PNG. */
const ICNS_TYPES: readonly [string, number][] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
];

async function paint(page: Page, name: string, size: number, css = ''): Promise<Buffer> {
  const drawing = await readFile(join(HERE, name), 'utf8');
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}${css}</style>${drawing}`,
  );
  return page.screenshot({ omitBackground: true });
}

/** An ICO file whose pictures are PNGs: header, one entry of 16 bytes each, then the pictures. */
function icoFile(pictures: readonly [number, Buffer][]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, [size, png]] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(([, png]) => png)]);
}

/** An ICNS file: magic and length, then type, length and PNG of each size. */
function icnsFile(pictures: readonly [string, Buffer][]): Buffer {
  const parts = pictures.map(([type, png]) => {
    const head = Buffer.alloc(8);
    head.write(type, 'ascii');
    head.writeUInt32BE(png.length + 8, 4);
    return Buffer.concat([head, png]);
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'ascii');
  head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 4);
  return Buffer.concat([head, ...parts]);
}

const executablePath = process.env['CHROMIUM_BINARY'];
const browser = await chromium.launch({
  args: ['--no-sandbox'],
  ...(executablePath === undefined ? {} : { executablePath }),
});
const page = await browser.newPage();
const app = new Map<number, Buffer>();
for (const size of APP_SIZES) app.set(size, await paint(page, 'icon.svg', size));
for (const size of [256, 512]) await writeFile(join(HERE, `icon-${size}.png`), app.get(size)!);
await writeFile(join(HERE, 'icon.ico'), icoFile(ICO_SIZES.map((size) => [size, app.get(size)!])));
await writeFile(join(HERE, 'icon.icns'), icnsFile(ICNS_TYPES.map(([type, size]) => [type, app.get(size)!])));
for (const file of (await readdir(HERE)).filter((name) => /^tray-.*\.svg$/.test(name))) {
  const name = file.slice(0, -4);
  const pictures: [number, Buffer][] = [];
  for (const size of [16, 32, 48]) pictures.push([size, await paint(page, file, size)]);
  await writeFile(join(HERE, `${name}.png`), pictures[1]![1]);
  await writeFile(join(HERE, `${name}.ico`), icoFile(pictures));
  // A template has no colours of its own; the plate goes, the tracks turn black.
  const template = 'rect{fill:none!important}path{stroke:#000}';
  await writeFile(join(HERE, `${name}-Template.png`), await paint(page, file, 16, template));
  await writeFile(join(HERE, `${name}-Template@2x.png`), await paint(page, file, 32, template));
}
await browser.close();
