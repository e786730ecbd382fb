import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate as ParsedCertificate,
} from '@peculiar/x509';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseClientAuthorities, verifiedFingerprint } from '../../../http/listeners/client-certificate.ts';
import { createGuardedDialer } from '../../../net/guarded-dialer.ts';
import { createSecrets, KEY_BYTES } from '../../../store/secrets/secrets.ts';
import { makeSelfSigned } from '../../../testing/peers/self-signed.ts';
import { openTestStore } from '../../../testing/test-store.ts';
import { createHiddenSettings } from '../../settings/hidden-settings.ts';
import { createMutualTls } from './mutual-tls.ts';
import { createNodeClient } from '../node-client.ts';

const NOW_MS = Date.now();
let opened: Awaited<ReturnType<typeof openTestStore>>;
let values: ReturnType<typeof createHiddenSettings>;
let mutualTls: ReturnType<typeof createMutualTls>;
beforeEach(async () => {
  opened = await openTestStore();
  values = createHiddenSettings(opened.store, createSecrets(randomBytes(KEY_BYTES)));
  mutualTls = createMutualTls({ store: opened.store, values, clock: () => NOW_MS });
});
afterEach(() => opened.dispose());

describe('the authority of this panel', () => {
  it('is created once with a client certificate, even with concurrent requests', async () => {
    const certs = await Promise.all([mutualTls.authorityCert(), mutualTls.authorityCert(), mutualTls.clientIdentity()]);
    expect(certs[1]).toBe(certs[0]);
    const ca = new X509Certificate(certs[0]);
    const { cert, key } = await mutualTls.clientIdentity();
    expect(certs[2]).toEqual({ cert, key });
    const leaf = new X509Certificate(cert);
    expect(ca).toMatchObject({ subject: 'CN=panel node mTLS CA', issuer: 'CN=panel node mTLS CA', ca: true });
    expect(leaf).toMatchObject({ subject: 'CN=panel master', issuer: 'CN=panel node mTLS CA', ca: false });
    expect(leaf.checkIssued(ca) && leaf.verify(ca.publicKey) && ca.verify(ca.publicKey)).toBe(true);
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(leaf.validToDate.getTime() - NOW_MS).toBeGreaterThan(3_649 * 86_400_000);
    expect(leaf.validFromDate.getTime()).toBeLessThan(NOW_MS);
    // Strict verifiers find the authority by its key identifier.
    const [keyOf, authorityOf] = [ca, leaf].map(({ raw }) => new ParsedCertificate(raw));
    const ownId = keyOf!.getExtension(SubjectKeyIdentifierExtension)?.keyId;
    expect(ownId).toMatch(/^[0-9a-f]{40}$/);
    expect(authorityOf!.getExtension(AuthorityKeyIdentifierExtension)?.keyId).toBe(ownId);
    expect(key).toContain('EC PRIVATE KEY');
    expect(await values.hidden('nodeMtlsClientCertSha256')).toBe(createHash('sha256').update(leaf.raw).digest('hex'));
    const { rows } = await readRows();
    expect(rows.join()).not.toContain('PRIVATE KEY');
  });

  it('renews its client certificate after two thirds of its lifetime, and stays the same itself', async () => {
    const first = await mutualTls.clientIdentity();
    const authority = await mutualTls.authorityCert();
    const later = createMutualTls({ store: opened.store, values, clock: () => NOW_MS + 7 * 365 * 86_400_000 });
    const second = await later.clientIdentity();
    expect(second.cert).not.toBe(first.cert);
    expect(await later.clientIdentity()).toEqual(second);
    expect(await later.authorityCert()).toBe(authority);
    expect(new X509Certificate(second.cert).verify(new X509Certificate(authority).publicKey)).toBe(true);
  });

  it('is never recreated automatically: half of a pair, or two parts that do not match, are an error', async () => {
    await mutualTls.authorityCert();
    const other = makeSelfSigned();
    for (const [key, value, code] of [
      ['nodeMtlsCaKeyPem', '', 'node.authorityIncomplete'],
      ['nodeMtlsCaCertPem', other.certPem, 'node.authorityIncomplete'],
      ['nodeMtlsClientKeyPem', other.keyPem, 'node.clientCertificateIncomplete'],
      ['nodeMtlsClientCertPem', '', 'node.clientCertificateIncomplete'],
      ['nodeMtlsClientCertSha256', '00', 'node.clientCertificateIncomplete'],
    ] as const) {
      const before = await values.hidden(key);
      await values.setHidden(key, value);
      await expect(mutualTls.authorityCert()).rejects.toMatchObject({ code });
      await expect(mutualTls.clientIdentity()).rejects.toMatchObject({ code });
      await values.setHidden(key, before);
    }
    await expect(mutualTls.clientIdentity()).resolves.toMatchObject({ cert: expect.any(String) as string });
  });
});

describe('the authority that this panel trusts', () => {
  it('is one certificate or several and nothing else', async () => {
    const [one, two] = [makeSelfSigned().certPem, makeSelfSigned().certPem];
    await mutualTls.trust(`\n${one}\r\n${two}  `);
    const stored = await values.hidden('nodeMtlsClientCAPem');
    expect(parseClientAuthorities(stored)!.certificates).toHaveLength(2);
    for (const bad of [
      `junk${one}`,
      `${one}junk`,
      `${one}${makeSelfSigned().keyPem}`,
      `${one}${two.slice(0, 80)}`,
      one.replace(/\n.{20}/, '\n'),
      'no certificate',
    ])
      await expect(mutualTls.trust(bad)).rejects.toMatchObject({ code: 'node.trustInvalid', field: 'caCert' });
    expect(await values.hidden('nodeMtlsClientCAPem')).toBe(stored);
    await mutualTls.trust(' ');
    expect(await values.hidden('nodeMtlsClientCAPem')).toBe('');
  });
});

it('a node that trusts the authority lets this panel in without a token', async () => {
  const { certPem, keyPem } = makeSelfSigned();
  const authorities = parseClientAuthorities(await mutualTls.authorityCert());
  const seen: { fingerprint: string | null; bearer: string | undefined }[] = [];
  const server: Server = createServer(
    { cert: certPem, key: keyPem, ca: authorities!.pem, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const fingerprint = verifiedFingerprint(request.socket, authorities, NOW_MS);
      seen.push({ fingerprint, bearer: request.headers.authorization });
      response.end(JSON.stringify({ success: true, msg: '', obj: 'in' }));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const known = getCACertificates('default');
  // Mutual TLS replaces the token, not the check of the server.
  setDefaultCACertificates([...known, certPem]);
  try {
    const client = createNodeClient(
      { dialer: createGuardedDialer(), clientIdentity: () => mutualTls.clientIdentity() },
      {
        scheme: 'https',
        address: '127.0.0.1',
        port: (server.address() as AddressInfo).port,
        basePath: '/',
        token: '',
        isPrivateAllowed: true,
        tlsVerifyMode: 'mtls',
        pinnedCertSha256: '',
      },
    );
    expect(await client.call({ method: 'GET', path: 'x', result: z.string() })).toBe('in');
    expect(seen).toEqual([{ fingerprint: await values.hidden('nodeMtlsClientCertSha256'), bearer: undefined }]);
  } finally {
    setDefaultCACertificates(known);
    server.close();
  }
});

async function readRows(): Promise<{ rows: string[] }> {
  const rows = await opened.store.reader.selectFrom('settings').selectAll().execute();
  return { rows: rows.map(({ key, value }) => `${key}=${value}`) };
}
