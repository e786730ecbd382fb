import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const config = z
  .looseObject({
    files: z.array(z.string()),
    asarUnpack: z.array(z.string()),
    extraResources: z.array(z.object({ from: z.string(), to: z.string() })),
    electronFuses: z.record(z.string(), z.boolean()),
    protocols: z.array(z.object({ schemes: z.array(z.string()) })),
    // The update address comes from the build's environment.
    publish: z.null(),
    linux: z.object({ target: z.array(z.string()) }),
    win: z.object({ target: z.array(z.string()) }),
    mac: z.object({ target: z.array(z.string()), hardenedRuntime: z.boolean(), binaries: z.array(z.string()) }),
  })
  .parse(parse(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')));
const source = readdirSync(join(ROOT, 'src-main'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
  .map((name) => readFileSync(join(ROOT, 'src-main', name), 'utf8'))
  .join('\n');

describe('the package', () => {
  it('has every fuse set', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('contains only named files: no sources, no maps, no module but the database driver', () => {
    const taken = config.files.filter((pattern) => !pattern.startsWith('!'));
    expect(
      taken.every((pattern) =>
        /^(package\.json|dist\/|resources\/icons\/|node_modules\/better-sqlite3\/)/.test(pattern),
      ),
    ).toBe(true);
    expect(config.files).toEqual(expect.arrayContaining(['!**/*.map', '!node_modules/**', '!dist/desktop/main.cjs']));
    expect(config.asarUnpack).toEqual(['**/*.node']);
  });

  it('includes the core for its system, outside of the archive', () => {
    expect(config.extraResources).toEqual([{ from: 'dist/core/${os}-${arch}', to: 'core' }]);
    expect(config.mac.binaries).toEqual(['Contents/Resources/core/xray']);
  });

  it('has the format each system updates from', () => {
    expect([config.linux.target, config.win.target, config.mac.target]).toEqual([
      ['AppImage', 'deb'],
      ['nsis'],
      ['dmg', 'zip'],
    ]);
    expect(config.protocols).toEqual(
      [{ name: 'Switchyard', schemes: ['switchyard'] }].map(({ schemes }) => ({ schemes })),
    );
  });

  it('starts the file that package.json names, under the id that Windows knows', () => {
    const { main } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { main: string };
    expect(main).toBe('dist/desktop/main.js');
    expect(source).toContain(`'${String(config['appId'])}'`);
  });
});

describe('the window', () => {
  it('is isolated and sandboxed, and no other window is ever created', () => {
    expect(source.match(/new BrowserWindow\(/g)).toHaveLength(1);
    for (const line of [
      'contextIsolation: true',
      'sandbox: true',
      'nodeIntegration: false',
      'webSecurity: true',
      'webviewTag: false',
    ])
      expect(source).toContain(line);
    expect(source).not.toMatch(/allowRunningInsecureContent|experimentalFeatures|nodeIntegrationIn|enableRemoteModule/);
  });

  it('opens links in the system only after a guard has checked them', () => {
    expect(source.match(/openExternal\(/g)).toHaveLength(2);
    expect(source.match(/ipcMain\.handle\(/g)).toHaveLength(1);
    expect(source).not.toMatch(/ipcMain\.on\(|ipcMain\.once\(/);
  });
});
