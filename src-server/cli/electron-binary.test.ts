import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { electronBinary, hasScreen, isCurrentElectron } from './electron-binary.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-electron-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the Electron of a window', () => {
  it('is the named one, and none when that is not there', async () => {
    const binary = join(folder, 'electron');
    expect(electronBinary({ ELECTRON_BIN: binary })).toBeNull();
    await writeFile(binary, '');
    expect(electronBinary({ ELECTRON_BIN: binary })).toBe(binary);
  });

  it.each([
    ['45.4.1', true],
    ['v45.4.1', false],
    ['22.3.25', false],
  ])('version %s is current: %s', async (version, isCurrent) => {
    await writeFile(join(folder, 'version'), version);
    expect(isCurrentElectron(join(folder, 'electron'))).toBe(isCurrent);
  });

  it('without a named version it is an old one', () => {
    expect(isCurrentElectron(join(folder, 'electron'))).toBe(false);
  });

  it('needs a screen, which only Linux can be without', () => {
    expect(hasScreen({}, 'linux')).toBe(false);
    expect(hasScreen({ DISPLAY: ':0' }, 'linux')).toBe(true);
    expect(hasScreen({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
    expect(hasScreen({}, 'win32')).toBe(true);
  });
});
