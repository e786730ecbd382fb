/** Style properties that the exported picture needs. */
const LOOKS = ['fill', 'stroke', 'stroke-width', 'opacity', 'font-family', 'font-size', 'font-weight'] as const;
const MARGIN_PX = 16;
const TITLE_PX = 28;
/** Pixels of the picture per screen pixel. */
const SCALE = 2;

/** A drawing as a standalone file: with its colours, the page's background and a title. */
export function svgText(drawing: SVGSVGElement, title: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [drawing, copy].map((root) => [...root.querySelectorAll<SVGElement>('*')]) as [
    SVGElement[],
    SVGElement[],
  ];
  for (const [at, element] of from.entries()) {
    const look = getComputedStyle(element);
    for (const name of LOOKS) to[at]!.setAttribute(name, look.getPropertyValue(name));
    for (const name of ['class', 'data-tone']) to[at]!.removeAttribute(name);
  }
  const { width, height } = drawing.getBoundingClientRect();
  const [wide, tall] = [width + 2 * MARGIN_PX, height + 2 * MARGIN_PX + TITLE_PX];
  const page = getComputedStyle(document.body);
  const inner = new XMLSerializer().serializeToString(copy).replace(/^<svg[^>]*>|<\/svg>$/g, '');
  const head = document.createElement('text');
  head.textContent = title;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}" viewBox="0 0 ${wide} ${tall}">
<rect width="100%" height="100%" fill="${page.backgroundColor}"/>
<text x="${MARGIN_PX}" y="${MARGIN_PX + 12}" fill="${page.color}" font-size="14" font-weight="600" font-family="sans-serif">${head.innerHTML}</text>
<g transform="translate(${MARGIN_PX} ${MARGIN_PX + TITLE_PX})">${inner}</g>
</svg>`;
}

/** The same as a bitmap. @throws {Error} when the browser cannot draw it */
export async function pngOf(drawing: SVGSVGElement, title: string): Promise<Blob> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;utf8,${encodeURIComponent(svgText(drawing, title))}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth * SCALE;
  canvas.height = picture.naturalHeight * SCALE;
  const context = canvas.getContext('2d')!;
  context.scale(SCALE, SCALE);
  context.drawImage(picture, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture is empty')) : resolve(blob)), 'image/png'),
  );
}
