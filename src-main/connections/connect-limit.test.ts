import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SavedConnection } from './connection.ts';
import { remoteLink } from './link.ts';

/** Its thread sleeps: it accepts nothing. */
const SLEEPER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;

/** A port whose queue of connections is full: the system answers no further one. */
async function silentPort(): Promise<number> {
  const sleeper = new Worker(SLEEPER, { eval: true });
  onTestFinished(async () => void (await sleeper.terminate()));
  const [port] = (await once(sleeper, 'message')) as [number];
  for (let taken = 0; taken < 2; taken += 1) {
    const waiting = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(waiting, 'connect');
    onTestFinished(() => void waiting.destroy());
  }
  return port;
}

it.each(['http', 'https'])('a host that answers no connection by %s is given up after ten seconds', async (scheme) => {
  const port = await silentPort();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const saved = { id: 'r', name: 'Remote', color: 'blue', signIn: 'session', trust: { mode: 'verify' } };
  const link = remoteLink(
    SavedConnection.parse({ ...saved, address: `${scheme}://127.0.0.1:${port}/`, lastUsedAtMs: 0 }),
    {},
    () => undefined,
  );
  onTestFinished(() => link.close());
  const call = link.forward({ method: 'GET', path: '/csrf-token', headers: {}, body: null });
  vi.advanceTimersByTime(10_000);
  await expect(call).rejects.toMatchObject({ code: 'ETIMEDOUT', message: 'the panel does not answer' });
});
