import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { findParentPort } from './parent-port.ts';

afterEach(() => {
  Reflect.deleteProperty(process, 'parentPort');
});

it('is the port of a utility process, where there is one', () => {
  const posted: unknown[] = [];
  const heard: unknown[] = [];
  const utility = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => posted.push(message) });
  Object.assign(process, { parentPort: utility });
  const port = findParentPort();
  port?.onMessage((message) => heard.push(message));
  port?.post({ type: 'ready' });
  utility.emit('message', { data: 'stop' });
  expect([posted, heard]).toEqual([[{ type: 'ready' }], ['stop']]);
});

it('is the channel to the parent under plain Node, and stays silent once that is gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-port-'));
  const script = join(folder, 'child.mjs');
  await writeFile(
    script,
    `const { findParentPort } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'parent-port.ts')).href)});
     const port = findParentPort();
     port.onMessage((message) => {
       port.post({ heard: message });
       process.disconnect();
       port.post('lost');
     });
     port.post('here');`,
  );
  const child = fork(script, { silent: true });
  expect(await once(child, 'message')).toEqual(['here', undefined]);
  child.send('resume');
  expect((await once(child, 'message'))[0]).toEqual({ heard: 'resume' });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  await rm(folder, { recursive: true });
});
