import jsQR from 'jsqr';
import type { Locator } from 'playwright';
import { PNG } from 'pngjs';

// The package exports the function itself; its types declare a default member.
const readCode = jsQR as unknown as typeof jsQR.default;

/** What a phone's camera reads from the screen; empty when it reads nothing. */
export async function scanCode(code: Locator): Promise<string> {
  await code.waitFor();
  const { data, width, height } = PNG.sync.read(await code.screenshot());
  return readCode(new Uint8ClampedArray(data), width, height)?.data ?? '';
}
