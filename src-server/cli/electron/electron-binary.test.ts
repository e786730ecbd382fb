import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { electronBinary, electronTrouble, hasScreen, windowTrouble } from './electron-binary.ts';

let folder: string;
beforeEach(async () => {
  folder = await testFolder();
});

describe('the Electron of a window', () => {
  it('is the named one, or none when that does not exist', async () => {
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
    expect(electronTrouble(join(folder, 'electron')) === '').toBe(isCurrent);
  });

  it('counts as old without a named version', () => {
    expect(electronTrouble(join(folder, 'electron'))).toMatch(/no file named version/);
  });

  it('says why no window opens: the named Electron, the screen', async () => {
    const binary = join(folder, 'electron');
    const env = { ELECTRON_BIN: binary, DISPLAY: ':0' };
    expect(windowTrouble(env)).toBe(`ELECTRON_BIN cannot be used: ${binary} is not there`);
    await writeFile(binary, '');
    await writeFile(join(folder, 'version'), '22.3.25\n');
    expect(windowTrouble(env)).toBe(
      `ELECTRON_BIN cannot be used: ${binary} is Electron 22.3.25; the window needs 38 or newer`,
    );
    await writeFile(join(folder, 'version'), '45.4.1');
    expect(windowTrouble(env, 'linux')).toBe('');
    expect(windowTrouble({ ELECTRON_BIN: binary }, 'linux')).toMatch(/^there is no screen/);
  });

  it('needs a screen, which only Linux can be without', () => {
    expect(hasScreen({}, 'linux')).toBe(false);
    expect(hasScreen({ DISPLAY: ':0' }, 'linux')).toBe(true);
    expect(hasScreen({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
    expect(hasScreen({}, 'win32')).toBe(true);
  });
});
