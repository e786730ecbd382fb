import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { electronBinary, electronTrouble } from '../../src-server/cli/electron/electron-binary.ts';
import { coreBinary } from '../harness/core/core-binary.ts';
import { waitFor } from '../harness/wait-for.ts';
import { extractArchive, readArchive, type ArchivedFile } from './application/asar.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Where Electron stores its fuses: behind this mark, a version byte and a length byte, one digit each. */
const FUSE_MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = ['runAsNode', 'enableCookieEncryption', 'nodeOptions', 'nodeInspect', 'asarIntegrity', 'onlyAsar'];

let folder: string;
let packed: string;
let files: ArchivedFile[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-package-'));
  const binary = electronBinary();
  if (binary === null) throw new Error('no Electron: set ELECTRON_BIN');
  const config = parse(await readFile(join(ROOT, 'electron-builder.yml'), 'utf8')) as Record<string, object>;
  Object.assign(config, {
    electronDist: dirname(binary),
    directories: { output: join(folder, 'out'), buildResources: join(ROOT, 'resources/icons') },
  });
  if (electronTrouble(binary) !== '') {
    // An old Electron lacks the newest fuse.
    const { grantFileProtocolExtraPrivileges: _newest, ...known } = config['electronFuses'] as Record<string, boolean>;
    Object.assign(config, { electronFuses: known });
  }
  const file = join(folder, 'builder.yml');
  await writeFile(file, stringify(config));
  await promisify(execFile)(process.execPath, [join(ROOT, 'src-server/cli/build/dist.ts'), '--config', file, '--dir'], {
    cwd: ROOT,
    env: { ...process.env, CORE_BINARY: coreBinary(), UPDATE_URL: '' },
    maxBuffer: 10_000_000,
  });
  packed = join(folder, 'out', 'linux-unpacked');
  files = await readArchive(join(packed, 'resources/app.asar'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('contains only what it needs: no sources, maps, tests or secrets', () => {
  const foreign = files.filter(
    ({ path }) =>
      !/^(package\.json|dist\/(desktop|server|renderer)\/|resources\/icons\/|node_modules\/better-sqlite3\/)/.test(
        path,
      ) || /\.(map|ts|tsx|c|h|log|db|key|pem|yml)$|\.test\.|\.cjs$/.test(path.replace('preload.cjs', '')),
  );
  expect(foreign.map(({ path }) => path)).toEqual([]);
  for (const path of [
    'dist/desktop/main.js',
    'dist/desktop/preload.cjs',
    'dist/server/main.js',
    'dist/renderer/index.html',
  ])
    expect(files.map((file) => file.path)).toContain(path);
});

it('includes one database driver, outside of the archive, and the core as an executable', () => {
  const natives = files.filter(({ path }) => path.endsWith('.node'));
  expect(natives.map(({ path, isUnpacked }) => [path, isUnpacked])).toEqual([
    [`node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`, true],
  ]);
  expect(() => accessSync(join(packed, 'resources/core/xray'), constants.X_OK)).not.toThrow();
});

it('checks for no updates when the build has no update address', () => {
  expect(existsSync(join(packed, 'resources/app.asar'))).toBe(true);
  expect(existsSync(join(packed, 'resources/app-update.yml'))).toBe(false);
});

it('has the right fuses', async () => {
  const program = await readFile(join(packed, 'switchyard-desktop'));
  const at = program.indexOf(FUSE_MARK) + FUSE_MARK.length + 2;
  const state = FUSES.map((name, index) => `${name}=${String.fromCodePoint(program[at + index]!)}`);
  expect(state).toEqual([
    'runAsNode=0',
    'enableCookieEncryption=1',
    'nodeOptions=0',
    'nodeInspect=0',
    'asarIntegrity=1',
    'onlyAsar=1',
  ]);
});

it('its panel runs from the packed files alone, with the core beside them', async () => {
  const laid = join(folder, 'laid');
  await extractArchive(join(packed, 'resources/app.asar'), laid);
  const socket = join(folder, 'w.sock');
  const args = [`--data-dir=${join(folder, 'data')}`, '--listen=127.0.0.1', '--port=0', '--sub-port=0'];
  const { CORE_BINARY: _core, ...env } = process.env;
  const panel = spawn(process.execPath, [join(laid, 'dist/server/main.js'), ...args, `--window-socket=${socket}`], {
    env: { ...env, PANEL_RESOURCES: join(packed, 'resources'), PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
  });
  try {
    const core = await waitFor('the packed core to run', async () => {
      const { obj } = (await getJson(socket, '/panel/api/server/status')) as { obj: { core: { state: string } } };
      return obj.core.state === 'running' && obj.core;
    });
    expect(core.state).toBe('running');
  } finally {
    panel.kill('SIGTERM');
    await new Promise((resolve) => panel.once('exit', resolve));
  }
});

function getJson(socketPath: string, path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(JSON.parse(text)));
    })
      .once('error', reject)
      .end();
  });
}
