import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { LDAP_ADMIN, LDAP_BASE, LDAP_PASSWORD, openLdap, type OpenLdap } from '../../testing/peers/open-ldap.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { DEFAULTS } from '../settings/stored-values.ts';
import type { DirectoryError } from './directory-failure.ts';
import { withDirectory } from './directory-session.ts';
import { readEntries } from './read-directory.ts';

let ldap: OpenLdap;
async function* pagesOf<T>(...pages: T[]): AsyncGenerator<T> {
  yield* pages;
}
afterEach(() => ldap.close());

const person = (uid: string, more: object = {}) => ({ uid, mail: `${uid}@example.org`, employeeType: 'yes', ...more });
const people = (count: number) => Array.from({ length: count }, (_, at) => person(`p${at}`));

const settings = (more: object = {}) => ({
  ...DEFAULTS,
  ldapHost: '127.0.0.1',
  ldapPort: ldap.port,
  ldapAllowPrivate: true,
  ldapBindDN: LDAP_ADMIN,
  ldapPassword: LDAP_PASSWORD,
  ldapBaseDN: LDAP_BASE,
  ldapFlagField: 'employeeType',
  ...more,
});

function read(more: object = {}, stepMs = 5_000) {
  const given = settings(more);
  return withDirectory(given, { dialer: createGuardedDialer(), stepMs, timeoutMs: 20_000 }, (client) =>
    readEntries(client, given),
  );
}

/** The stage and the reason of a failure. */
const failure = async (more: object = {}, stepMs?: number) => {
  const error = await read(more, stepMs).then(
    () => null,
    (thrown: DirectoryError) => thrown,
  );
  return error === null ? null : { stage: error.stage, code: error.code, ...error.params };
};

describe('reading', () => {
  test('entries come in pages, all of them', async () => {
    ldap = await openLdap({ people: people(1_037) });
    const { entries } = await read();
    expect(entries).toHaveLength(1_037);
    expect(new Set(entries.flatMap(({ names }) => names)).size).toBe(1_037);
  });

  test('entries that exactly fill their pages are all returned', async () => {
    ldap = await openLdap({ people: people(400) });
    expect((await read()).entries).toHaveLength(400);
  });

  test('an empty page in the middle is not treated as the end', async () => {
    ldap = await openLdap({ people: [] });
    const page = (names: string[]) => ({
      searchEntries: names.map((mail) => ({ dn: mail, mail })),
      searchReferences: [],
    });
    // The library stops at a page without entries, even if the directory announces more.
    const client = { searchPaginated: () => pagesOf(page(['a', 'b']), page([])) };
    const code = await readEntries(client, settings()).catch((error: DirectoryError) => error.code);
    expect(code).toBe('directory.partial');
  });

  test('the flag matches exactly one of the values that mean yes, or is inverted', async () => {
    ldap = await openLdap({
      people: [
        person('a'),
        person('b', { employeeType: 'YES' }),
        person('c', { employeeType: ['x', 'on'] }),
        { uid: 'd', mail: 'd' },
      ],
    });
    const allowed = async (more: object) =>
      (await read(more)).entries.flatMap(({ names, isAllowed }) => (isAllowed ? names : [])).sort();
    expect(await allowed({})).toEqual(['a@example.org', 'c@example.org']);
    expect(await allowed({ ldapInvertFlag: true })).toEqual(['b@example.org', 'd']);
    expect(await allowed({ ldapTruthyValues: 'YES' })).toEqual(['b@example.org']);
    expect(await allowed({ ldapFlagField: '', ldapVlessField: 'EmployeeType' })).toEqual([
      'a@example.org',
      'c@example.org',
    ]);
    expect(await allowed({ ldapFlagField: '', ldapVlessField: '' })).toHaveLength(4);
  });

  test('bytes that are not text name nobody', async () => {
    ldap = await openLdap({
      people: [person('a', { jpegPhoto: Buffer.from([0xff, 0xd8, 0xff, 0x00]) }), person('b', { jpegPhoto: 'text' })],
    });
    expect(await read({ ldapUserAttr: 'jpegPhoto' })).toEqual({
      entries: [{ names: ['text'], isAllowed: true }],
      notText: [`uid=a,${LDAP_BASE}`],
      nameless: 0,
    });
  });

  test('a user filter finds only the people it selects, and an invalid one is refused', async () => {
    ldap = await openLdap({ people: people(5) });
    expect((await read({ ldapUserFilter: '(&(objectClass=person)(uid=p3))' })).entries).toHaveLength(1);
    expect((await read({ ldapUserFilter: 'uid=p3' })).entries).toHaveLength(1);
    for (const ldapUserFilter of ['(&(uid=p3)', '(uid=p3)(uid=p4)', '(uid=p3))', 'uid', '(&)'])
      expect(await failure({ ldapUserFilter })).toMatchObject({ stage: 'search', code: 'directory.filter' });
  });
});

describe('a misbehaving directory', () => {
  test('with a wrong password, an unknown base, a limit: its own error text is reported', async () => {
    ldap = await openLdap({ people: people(30), limits: 'sizelimit size.soft=10 size.hard=10 size.prtotal=10' });
    expect(await failure({ ldapPassword: 'wrong' })).toMatchObject({ stage: 'bind', code: 'directory.credentials' });
    expect(await failure({ ldapPassword: '' })).toEqual({ stage: 'bind', code: 'directory.noPassword' });
    expect(await failure({ ldapBaseDN: 'dc=nowhere' })).toMatchObject({
      stage: 'search',
      code: 'directory.refused',
      text: 'NoSuchObject (0x20)',
    });
    expect(await failure()).toMatchObject({ stage: 'search', code: 'directory.partial' });
  });

  test('that hangs or is unreachable: is given up', async () => {
    ldap = await openLdap({ people: people(1) });
    ldap.hang();
    expect(await failure({}, 300)).toEqual({ stage: 'bind', code: 'directory.timeout', seconds: 0.3 });
    expect(await failure({ ldapBindDN: '' }, 300)).toEqual({
      stage: 'search',
      code: 'directory.timeout',
      seconds: 0.3,
    });
    expect(await failure({ ldapUseTLS: true }, 300)).toEqual({ stage: 'tls', code: 'directory.timeout', seconds: 0.3 });
    await ldap.stop();
    expect(await failure()).toMatchObject({ stage: 'connect', code: 'directory.unreachable' });
  });

  test('at a private address: only when that is allowed', async () => {
    ldap = await openLdap({ people: [] });
    expect(await failure({ ldapAllowPrivate: false })).toEqual({
      stage: 'connect',
      code: 'directory.private',
      host: '127.0.0.1',
      address: '127.0.0.1',
    });
  });
});

describe('TLS', () => {
  test('an untrusted certificate ends ldaps and StartTLS, unless any certificate is accepted', async () => {
    ldap = await openLdap({ people: people(3), certificate: makeSelfSigned() });
    const secure = { ldapUseTLS: true, ldapPort: ldap.securePort };
    const untrusted = { stage: 'tls', code: 'directory.certificate' };
    expect(await failure(secure)).toEqual({ ...untrusted, text: '127.0.0.1: self-signed certificate' });
    expect(await failure({ ldapStartTLS: true })).toEqual({ ...untrusted, text: 'self-signed certificate' });
    const accepted = { ldapInsecureSkipVerify: true };
    expect((await read({ ...secure, ...accepted })).entries).toHaveLength(3);
    expect((await read({ ldapStartTLS: true, ...accepted })).entries).toHaveLength(3);
  });

  test('a CA in NODE_EXTRA_CA_CERTS is trusted, but only for the name in the certificate', async () => {
    const certificate = makeSelfSigned();
    ldap = await openLdap({ people: people(3), certificate });
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-ca-'));
    const file = join(folder, 'ca.pem');
    await writeFile(file, certificate.certPem);
    /** A separate process: CAs are read at startup. */
    const readInProcess = async (more: object) => {
      const given = JSON.stringify(settings(more));
      const program = `
        import { withDirectory } from ${JSON.stringify(join(import.meta.dirname, 'directory-session.ts'))};
        import { readEntries } from ${JSON.stringify(join(import.meta.dirname, 'read-directory.ts'))};
        import { createGuardedDialer } from ${JSON.stringify(join(import.meta.dirname, '../../net/guarded-dialer.ts'))};
        const given = ${given};
        const way = { dialer: createGuardedDialer(), stepMs: 5000, timeoutMs: 20000 };
        const read = (client) => readEntries(client, given);
        const result = await withDirectory(given, way, read).then(({ entries }) => entries.length, ({ code }) => code);
        console.log(result);`;
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
      return stdout.trim();
    };
    expect(await readInProcess({ ldapUseTLS: true, ldapPort: ldap.securePort })).toBe('3');
    expect(await readInProcess({ ldapStartTLS: true })).toBe('3');
    expect(await readInProcess({ ldapStartTLS: true, ldapHost: '127.0.0.2' })).toBe('directory.certificate');
    await rm(folder, { recursive: true });
  });

  test('no password is sent to a directory without StartTLS', async () => {
    ldap = await openLdap({ people: people(1) });
    expect(await failure({ ldapStartTLS: true })).toMatchObject({ stage: 'tls', code: 'directory.certificate' });
  });
});
