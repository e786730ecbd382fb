import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createRawServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { makeSelfSigned } from '../testing/peers/self-signed.ts';
import { classifyAddress } from './address-class.ts';
import { canonicalHost } from './checked-address.ts';
import { createGuardedDialer } from './guarded-dialer.ts';
import { listening } from '../testing/peers/local-server.ts';

const open: Server[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  return listening(server);
}
const serve = (response: RequestListener) => listen(createServer(response));
const limits = { maxBytes: 1000, timeoutMs: 5000 };
const refusal = (code: string) => expect.objectContaining({ name: 'DialError', code });

describe('addresses', () => {
  test.each([
    ['1.1.1.1', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['::ffff:1.1.1.1', 'public'],
    ['64:ff9b::101:101', 'public'],
    ['127.0.0.1', 'private'],
    ['127.255.0.9', 'private'],
    ['0.0.0.0', 'private'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['169.254.1.1', 'private'],
    ['192.0.2.1', 'private'],
    ['198.18.0.1', 'private'],
    ['224.0.0.1', 'private'],
    ['255.255.255.255', 'private'],
    ['::', 'private'],
    ['::1', 'private'],
    ['::ffff:127.0.0.1', 'private'],
    ['::ffff:a00:1', 'private'],
    ['::7f00:1', 'private'],
    ['64:ff9b::7f00:1', 'private'],
    ['64:ff9b:1::1', 'private'],
    ['2002:7f00:1::', 'private'],
    ['2001:0:7f00:1::', 'private'],
    ['fe80::1', 'private'],
    ['fe80::1%eth0', 'private'],
    ['2606:4700::1%eth0', 'private'],
    ['fec0::1', 'private'],
    ['fd12::1', 'private'],
    ['ff02::1', 'private'],
    ['2001:db8::1', 'private'],
    ['169.254.169.254', 'metadata'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['64:ff9b::a9fe:a9fe', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['not an address', 'private'],
  ])('%s is %s', (address, kind) => expect(classifyAddress(address)).toBe(kind));

  test.each([
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['[::1]', '::1'],
    ['::FFFF:127.0.0.1', '::ffff:7f00:1'],
    ['EXAMPLE.com.', 'example.com'],
    ['１２７.0.0.1', '127.0.0.1'],
  ])('%s means %s', (host, meaning) => expect(canonicalHost(host)).toBe(meaning));

  test.each(['', 'a b', 'host:80', 'a/b', 'user@host', 'fe80::1%eth0', '[fe80::1%25eth0]', '999.1.1.1', 'a\0b'])(
    '%j is no host',
    (host) => expect(() => canonicalHost(host)).toThrow(refusal('address')),
  );
});

describe('fetch', () => {
  test.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'])(
    'refuses %s without a connection',
    async (host) => {
      let seen = 0;
      const port = await serve((_request, response) => {
        seen += 1;
        response.end();
      });
      await expect(createGuardedDialer().fetch(`http://${host}:${port}/`, limits)).rejects.toEqual(refusal('private'));
      expect(seen).toBe(0);
    },
  );

  test('dials an internal host that is allowed, but never a credential service', async () => {
    const port = await serve((request, response) =>
      response.end(`${request.method} ${request.url} ${request.headers.host}`),
    );
    const dialer = createGuardedDialer();
    const response = await dialer.fetch(`http://127.0.0.1:${port}/a?b=1`, { ...limits, allowPrivate: true });
    expect([response.status, String(response.body)]).toEqual([200, `GET /a?b=1 127.0.0.1:${port}`]);
    await expect(dialer.fetch('http://169.254.169.254/latest', { ...limits, allowPrivate: true })).rejects.toEqual(
      refusal('private'),
    );
  });

  test('a name is resolved once and the checked address is the one dialled', async () => {
    const port = await serve((_request, response) => response.end('inside'));
    let lookups = 0;
    // Allowed here: what counts is that the second result, which has no listener, is never used.
    const dialer = createGuardedDialer({
      lookup: async () => {
        lookups += 1;
        return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
      },
    });
    const response = await dialer.fetch(`http://name.example:${port}/`, { ...limits, allowPrivate: true });
    expect([String(response.body), lookups]).toEqual(['inside', 1]);
  });

  test('a name with one internal address among public ones is refused', async () => {
    const dialer = createGuardedDialer({
      lookup: async () => [
        { address: '1.1.1.1', family: 4 },
        { address: '::ffff:10.0.0.1', family: 6 },
      ],
    });
    await expect(dialer.fetch('http://name.example/', limits)).rejects.toEqual(refusal('private'));
    await expect(dialer.connect({ host: 'name.example', port: 80, timeoutMs: 1000 })).rejects.toEqual(
      refusal('private'),
    );
  });

  test('a redirect is checked like the first address, and does not inherit its permission', async () => {
    let isReached = false;
    const inside = await serve((_request, response) => {
      isReached = true;
      response.end();
    });
    const port = await serve((_request, response) =>
      response.writeHead(302, { location: `http://inner.example:${inside}/` }).end(),
    );
    const dialer = createGuardedDialer({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
    await expect(dialer.fetch(`http://outer.example:${port}/`, { ...limits, allowPrivate: true })).rejects.toEqual(
      refusal('private'),
    );
    expect(isReached).toBe(false);
  });

  test('follows redirects with a limit and leaves credentials behind', async () => {
    const seen: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/end') response.end('end');
      else if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${other}/end` }).end();
      else response.writeHead(302, { location: '/loop' }).end();
    });
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end('other');
    });
    const options = { ...limits, allowPrivate: true, headers: { Authorization: 'Bearer t' } };
    const dialer = createGuardedDialer();
    const response = await dialer.fetch(`http://127.0.0.1:${port}/away`, options);
    expect([String(response.body), response.url, seen]).toEqual([
      'other',
      `http://127.0.0.1:${other}/end`,
      ['Bearer t', undefined],
    ]);
    await expect(dialer.fetch(`http://127.0.0.1:${port}/loop`, options)).rejects.toEqual(refusal('redirects'));
    const posted = await dialer.fetch(`http://127.0.0.1:${port}/loop`, { ...options, method: 'POST', body: 'x' });
    expect(posted.status).toBe(302);
  });

  test('sends the credentials of the address, also after a redirect to the same server', async () => {
    const seen: string[] = [];
    const port = await serve((request, response) => {
      const [scheme, text = ''] = (request.headers.authorization ?? '').split(' ');
      seen.push(`${scheme} ${Buffer.from(text, 'base64').toString()}`);
      const { host } = request.headers;
      if (request.url === '/') response.writeHead(301, { location: `http://${host}/end` }).end();
      else if (request.url === '/end') response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end();
    });
    const other = await serve((request, response) => response.end(request.headers.authorization ?? 'none'));
    const dialer = createGuardedDialer();
    const fetched = async (credentials: string) =>
      String((await dialer.fetch(`http://${credentials}@127.0.0.1:${port}/`, { ...limits, allowPrivate: true })).body);
    expect([await fetched('u:50%25'), await fetched('u:50%'), await fetched(':key')]).toEqual(['none', 'none', 'none']);
    const [encoded, literal, nameless] = ['Basic u:50%', 'Basic u:50%', 'Basic :key'];
    expect(seen).toEqual([encoded, encoded, literal, literal, nameless, nameless]);
  });

  test('too many bytes, plain or unpacked, end the exchange', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/gzip')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000)));
      else response.end(Buffer.alloc(1001));
    });
    const dialer = createGuardedDialer();
    const options = { ...limits, allowPrivate: true };
    await expect(dialer.fetch(`http://127.0.0.1:${port}/`, options)).rejects.toEqual(refusal('tooLarge'));
    await expect(dialer.fetch(`http://127.0.0.1:${port}/gzip`, options)).rejects.toEqual(refusal('tooLarge'));
    expect((await dialer.fetch(`http://127.0.0.1:${port}/`, { ...options, maxBytes: 1001 })).body).toHaveLength(1001);
    const unpacked = await dialer.fetch(`http://127.0.0.1:${port}/gzip`, { ...options, maxBytes: 100_000 });
    expect(unpacked.body).toEqual(Buffer.alloc(100_000));
  });

  test('a silent server, a slow body and a silent resolver run into the time limit', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/slow') response.write('a');
    });
    const options = { maxBytes: 10, timeoutMs: 60, allowPrivate: true };
    const dialer = createGuardedDialer();
    await expect(dialer.fetch(`http://127.0.0.1:${port}/`, options)).rejects.toEqual(refusal('timeout'));
    await expect(dialer.fetch(`http://127.0.0.1:${port}/slow`, options)).rejects.toEqual(refusal('timeout'));
    const silent = createGuardedDialer({ lookup: () => new Promise(() => undefined) });
    await expect(silent.fetch('http://name.example/', options)).rejects.toEqual(refusal('timeout'));
  });

  test('a stream is limited in size and in pauses', async () => {
    const port = await serve((request, response) => {
      response.write('abc');
      if (request.url === '/long') response.end(Buffer.alloc(2000));
    });
    const dialer = createGuardedDialer();
    const read = async (path: string) => {
      const { body } = await dialer.open(`http://127.0.0.1:${port}${path}`, {
        maxBytes: 1000,
        timeoutMs: 60,
        allowPrivate: true,
      });
      for await (const chunk of body) void chunk;
    };
    await expect(read('/long')).rejects.toEqual(refusal('tooLarge'));
    await expect(read('/stalls')).rejects.toEqual(refusal('timeout'));
  });

  test('a server that closes while its response is read slowly ends neither the response nor the panel', async () => {
    const dialer = createGuardedDialer();
    const readLate = async (size: number, head: string) => {
      const sent = Promise.withResolvers<void>();
      const port = await listen(
        createRawServer((socket) => {
          const response = `HTTP/1.0 200 OK\r\n${head}\r\n${'a'.repeat(size)}`;
          socket.once('data', () => socket.end(response, () => sent.resolve()));
        }),
      );
      const options = { maxBytes: size, timeoutMs: 5000, allowPrivate: true };
      const { body } = await dialer.open(`http://127.0.0.1:${port}/`, options);
      await sent.promise;
      // The end of the connection is already here when it is checked.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      return Buffer.concat(await body.toArray()).length;
    };
    // For some sizes the last piece is read, and the end behind it, when nothing more fits into the stream.
    for (const size of [65_536, 131_072, 196_608, 262_144])
      for (const head of ['', `Content-Length: ${size}\r\n`]) expect(await readLate(size, head)).toBe(size);
  });

  test('the caller can cancel', async () => {
    const controller = new AbortController();
    const port = await serve(() => controller.abort());
    const pending = createGuardedDialer().fetch(`http://127.0.0.1:${port}/`, {
      ...limits,
      allowPrivate: true,
      signal: controller.signal,
    });
    await expect(pending).rejects.toEqual(refusal('aborted'));
  });

  test.each(['ftp://example.com/', 'file:///etc/passwd', 'nonsense', 'http://[fe80::1%25eth0]/'])(
    '%s is not dialled',
    async (url) => {
      await expect(createGuardedDialer().fetch(url, limits)).rejects.toEqual(refusal('address'));
    },
  );

  test('TLS: unknown issuers are refused, and a peer can be checked before anything is sent', async () => {
    const { certPem: cert, keyPem: key } = makeSelfSigned();
    let seen = 0;
    const port = await listen(
      createTlsServer({ cert, key }, (_request, response) => {
        seen += 1;
        response.end('secret');
      }),
    );
    const url = `https://127.0.0.1:${port}/`;
    const dialer = createGuardedDialer();
    const options = { ...limits, allowPrivate: true };
    await expect(dialer.fetch(url, options)).rejects.toEqual(refusal('tls'));
    const tls = { rejectUnauthorized: false, checkPeer: () => new Error('another fingerprint') };
    await expect(dialer.fetch(url, { ...options, tls })).rejects.toEqual(refusal('tls'));
    expect(seen).toBe(0);
    const response = await dialer.fetch(url, { ...options, tls: { rejectUnauthorized: false } });
    expect(String(response.body)).toBe('secret');
  });
});
