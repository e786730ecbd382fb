import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { privateSocketFor } from '../supervisor/private-socket.ts';
import { readStartOptions } from './start-options.ts';

it('reads its own arguments among those of Chromium and a link', () => {
  const argv = ['--no-sandbox', '--inspect=0', '/app', '--data-dir=/srv/p', '--hidden', '--port=0', '--core', '/opt/x'];
  expect(readStartOptions([...argv, 'switchyard://open/clients'], {})).toEqual({
    dataDir: '/srv/p',
    core: '/opt/x',
    isHidden: true,
    panelFlags: ['--port=0', '--core=/opt/x'],
  });
  expect(readStartOptions([], { XDG_DATA_HOME: '/home/me/data' })).toMatchObject({ isHidden: false, panelFlags: [] });
});

it('puts the socket where its path is short enough, in a folder of this user only', async () => {
  expect(privateSocketFor('/srv/p', 'linux')).toBe('/srv/p/window.sock');
  expect(privateSocketFor('C:\\x', 'win32')).toMatch(/^\\\\\.\\pipe\\switchyard-[0-9a-f]{32}$/);
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'));
  const deep = join(folder, 'x'.repeat(100));
  const socket = privateSocketFor(deep, 'linux');
  expect(socket.length).toBeLessThan(100);
  expect(socket).toBe(privateSocketFor(deep, 'linux'));
  expect((await stat(join(socket, '..'))).mode & 0o777).toBe(0o700);
  await rm(folder, { recursive: true });
});

it('leaves a folder of that name alone that another user can write to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'));
  vi.stubEnv('TMPDIR', folder);
  const prepared = join(folder, `switchyard-${userInfo().uid}`);
  await mkdir(prepared);
  await chmod(prepared, 0o777);
  const own = dirname(privateSocketFor('x'.repeat(104), 'linux'));
  expect(own).not.toBe(prepared);
  expect((await stat(own)).mode & 0o777).toBe(0o700);
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});
