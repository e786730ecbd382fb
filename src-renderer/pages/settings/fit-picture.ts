import { MAX_PICTURE_LENGTH } from '#contract/settings';

/** Widths to try, in pixels; the page shows 52 of them at twice the density. */
const WIDTHS = [128, 104, 80, 64, 48, 32];
/** Smaller first where a browser can write both. */
const KINDS = ['image/webp', 'image/png'] as const;

/**
 * An image file as a data URL, made small enough for the page of a subscription; drawn anew, so that nothing but pixels
 * is kept. null = it cannot be made small enough.
 * @throws when this browser cannot read the image
 */
export async function fitPicture(file: Blob): Promise<string | null> {
  const address = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    for (const width of WIDTHS) {
      const drawn = drawnAt(picture, width);
      const found = KINDS.map((kind) => drawn.toDataURL(kind, 0.86)).find(
        (data) => data.length <= MAX_PICTURE_LENGTH && data.startsWith('data:image/'),
      );
      if (found !== undefined) return found;
    }
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function drawnAt(picture: HTMLImageElement, width: number): HTMLCanvasElement {
  // An image without an intrinsic size counts as a square.
  const [own, high] = [picture.naturalWidth || width, picture.naturalHeight || width];
  const scale = Math.min(1, width / Math.max(own, high));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(own * scale));
  canvas.height = Math.max(1, Math.round(high * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
