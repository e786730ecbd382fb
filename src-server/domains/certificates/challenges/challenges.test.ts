import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect, createSecureContext } from 'node:tls';
import { beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '../../../testing/for-each-test.ts';
import { createAcmeChallenges } from '../../../certificates/acme-challenges.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import { makeSelfSigned } from '../../../testing/peers/self-signed.ts';
import { recordingLogger } from '../../../testing/test-store.ts';
import { listenForAuthority } from './challenge-listener.ts';
import { createDnsHooks } from './dns-hooks.ts';
import { freePort } from '../../../testing/free-port.ts';
import { listening } from '../../../testing/peers/local-server.ts';

const nobody = async (): Promise<void> => {};

describe('a temporary listener', () => {
  test('answers challenges over HTTP, and is gone once it has ended', async () => {
    const challenges = createAcmeChallenges();
    const port = await freePort();
    const close = await listenForAuthority({ address: '127.0.0.1', port, isTls: false }, challenges, [], nobody);
    const end = challenges.offerHttp('token', 'token.thumb');
    const request = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect(await (await request('/.well-known/acme-challenge/token')).text()).toBe('token.thumb');
    expect((await request('/.well-known/acme-challenge/other')).status).toBe(404);
    expect((await request('/')).status).toBe(404);
    end();
    expect((await request('/.well-known/acme-challenge/token')).status).toBe(404);
    await close();
    await expect(request('/')).rejects.toThrow();
  });

  test('presents the certificate of the requested name over TLS', async () => {
    const challenges = createAcmeChallenges();
    const port = await freePort();
    const close = await listenForAuthority({ address: '127.0.0.1', port, isTls: true }, challenges, [], nobody);
    const { certPem, keyPem } = makeSelfSigned();
    const end = challenges.offerTls('a.example', createSecureContext({ cert: certPem, key: keyPem }));
    const handshake = async (servername: string, protocol: string): Promise<string> => {
      const options = { host: '127.0.0.1', port, servername, ALPNProtocols: [protocol], rejectUnauthorized: false };
      const socket = connect(options);
      await once(socket, 'secureConnect');
      const shown = `${String(socket.alpnProtocol)} ${socket.getPeerX509Certificate()?.toString().trim() ?? ''}`;
      socket.destroy();
      return shown;
    };
    expect(await handshake('a.example', 'acme-tls/1')).toBe(`acme-tls/1 ${certPem.trim()}`);
    await expect(handshake('b.example', 'acme-tls/1')).rejects.toThrow();
    await expect(handshake('a.example', 'http/1.1')).rejects.toThrow();
    end();
    await expect(handshake('a.example', 'acme-tls/1')).rejects.toThrow();
    await close();
  });

  test('is not needed where the panel listens, and reports who uses a taken port', async () => {
    const challenges = createAcmeChallenges();
    const other = createServer();
    const port = await listening(other);
    const place = { address: '127.0.0.1', port, isTls: true };
    await (
      await listenForAuthority(place, challenges, [{ port, isTls: true }], nobody)
    )();
    await expect(listenForAuthority(place, challenges, [{ port, isTls: false }], nobody)).rejects.toMatchObject({
      code: 'certificate.portNoTls',
      params: { port },
    });
    await expect(listenForAuthority(place, challenges, [], nobody)).rejects.toMatchObject({
      code: 'certificate.portTaken',
      params: { port },
    });
    const known = () => Promise.reject(new DomainError('inbound.portTaken', { port }));
    await expect(listenForAuthority(place, challenges, [], known)).rejects.toMatchObject({ code: 'inbound.portTaken' });
    await expect(listenForAuthority({ ...place, address: '192.0.2.1' }, challenges, [], nobody)).rejects.toMatchObject({
      code: 'certificate.addressElsewhere',
      params: { address: '192.0.2.1' },
    });
    other.close();
  });
});

describe.skipIf(process.platform === 'win32')('programs for DNS records', () => {
  let dataDir: string;
  let folder: string;
  let log: ReturnType<typeof recordingLogger>;
  const { signal } = new AbortController();
  beforeEach(async () => {
    dataDir = await testFolder();
    folder = join(dataDir, 'dns-hooks');
    await mkdir(folder);
    log = recordingLogger();
  });

  async function program(name: string, script: string, mode = 0o700): Promise<void> {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), mode);
  }
  const record = (hook: string, value: string) => ({
    hook,
    arguments: ['--zone', 'a secret; rm -rf "$HOME"'],
    record: '_acme-challenge.a.example',
    value,
  });
  const calls = () => readFile(join(folder, 'calls'), 'utf8');

  test('only those writable by the owner alone are listed', async () => {
    await program('good', 'exit 0');
    await program('shared', 'exit 0', 0o722);
    await program('text', 'exit 0', 0o600);
    await mkdir(join(folder, 'folder'));
    await program('.hidden', 'exit 0');
    const hooks = createDnsHooks({ dataDir, log });
    expect(await hooks.list()).toEqual(['good']);
    for (const name of ['../good', '/bin/true', '', 'none'])
      await expect(hooks.add([record(name, 'v')], signal)).rejects.toMatchObject({ code: 'certificate.hookMissing' });
    expect(await createDnsHooks({ dataDir: join(dataDir, 'none'), log }).list()).toEqual([]);
  });

  test('receive their arguments verbatim, and their output is logged without secrets', async () => {
    await program('good', 'echo "$@" | tee -a calls');
    const remove = await createDnsHooks({ dataDir, log }).add(
      [record('good', 'value-1'), record('good', 'value-2')],
      signal,
    );
    expect((await stat(join(dataDir, 'cert', 'dns-records.json'))).mode & 0o777).toBe(0o600);
    await remove();
    const words = '--zone a secret; rm -rf "$HOME"';
    const line = (verb: string, at: number) => `${words} ${verb} _acme-challenge.a.example value-${at}`;
    expect(await calls()).toBe(
      `${[line('add', 1), line('add', 2), line('remove', 1), line('remove', 2)].join('\n')}\n`,
    );
    const logged = log.lines.filter(({ event }) => event === 'certificates.hook');
    expect(logged).toHaveLength(4);
    expect(JSON.stringify(logged)).not.toMatch(/secret|value-/);
    await expect(stat(join(dataDir, 'cert', 'dns-records.json'))).rejects.toThrow();
  });

  test('a failure ends the order, and added records are removed', async () => {
    await program('good', 'echo "$1 $3" >> calls; [ "$5" != bad ]');
    const add = createDnsHooks({ dataDir, log }).add([record('good', 'v'), record('good', 'bad')], signal);
    await expect(add).rejects.toMatchObject({ code: 'certificate.hookFailed', params: { hook: 'good', code: 1 } });
    expect((await calls()).match(/remove/g)).toHaveLength(2);
  });

  test('records left by a killed panel are removed at the next start', async () => {
    await program('good', 'echo "$3 $5" >> calls');
    await createDnsHooks({ dataDir, log }).add([record('good', 'v')], signal);
    const next = createDnsHooks({ dataDir, log });
    await next.begin(signal);
    await next.begin(signal);
    expect(await calls()).toBe('add v\nremove v\n');
  });
});
