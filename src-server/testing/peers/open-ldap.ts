import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SelfSigned } from './self-signed.ts';
import { freePort } from '../free-port.ts';
import { accepts } from './local-server.ts';

const SLAPD = '/usr/sbin/slapd';
const SLAPADD = '/usr/sbin/slapadd';
const SCHEMAS = ['core', 'cosine', 'inetorgperson'].map((name) => `/etc/ldap/schema/${name}.schema`);

export const LDAP_BASE = 'dc=example,dc=org';
export const LDAP_ADMIN = `cn=admin,${LDAP_BASE}`;
export const LDAP_PASSWORD = 'directory secret';

/** A person: the RDN, and attributes. Bytes are written unchanged. */
export interface LdapPerson {
  uid: string;
  [attribute: string]: string | readonly string[] | Buffer;
}

interface OpenLdapOptions {
  people: readonly LdapPerson[];
  /** Lines of the configuration, `sizelimit 10`. */
  limits?: string;
  certificate?: SelfSigned;
}

/** A test's own OpenLDAP, with its own database, on an ephemeral port of 127.0.0.1, and of 127.0.0.2. */
export async function openLdap(options: OpenLdapOptions) {
  if (![SLAPD, SLAPADD, ...SCHEMAS].every(existsSync))
    throw new Error(`this test needs OpenLDAP's ${SLAPD}: install the Debian package "slapd" (.ci/run does)`);
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-ldap-'));
  const config = join(folder, 'slapd.conf');
  const [port, securePort] = [await freePort(), await freePort()];
  const tls = options.certificate === undefined ? [] : await writeCertificate(folder, options.certificate);
  const urls = [
    `ldap://127.0.0.1:${port}/`,
    `ldap://127.0.0.2:${port}/`,
    ...(tls.length > 0 ? [`ldaps://127.0.0.1:${securePort}/`] : []),
  ];
  await writeFile(config, configText(folder, options.limits ?? 'sizelimit unlimited', tls));

  /** Replaces all people with these; while it is stopped. */
  async function fill(people: readonly LdapPerson[]): Promise<void> {
    await rm(join(folder, 'data'), { recursive: true, force: true });
    await mkdir(join(folder, 'data'));
    const added = spawnSync(SLAPADD, ['-q', '-f', config], { input: ldifOf(people) });
    if (added.status !== 0) throw new Error(`slapadd: ${String(added.stderr)}`);
  }

  async function run() {
    const child = spawn(SLAPD, ['-d', '0', '-f', config, '-h', urls.join(' ')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`slapd ended with ${child.exitCode}: ${output}`);
      await sleep(20);
    }
    return child;
  }

  await fill(options.people);
  let child = await run();

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await ended;
  }

  return {
    port,
    securePort,
    /** The system accepts its connections, and nothing answers them. */
    hang: () => child.kill('SIGSTOP'),
    wake: () => child.kill('SIGCONT'),
    stop,
    async refill(people: readonly LdapPerson[]): Promise<void> {
      await stop();
      await fill(people);
      child = await run();
    },
    async close(): Promise<void> {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type OpenLdap = Awaited<ReturnType<typeof openLdap>>;

const configText = (folder: string, limits: string, tls: readonly string[]): string =>
  [
    ...SCHEMAS.map((schema) => `include ${schema}`),
    `pidfile ${join(folder, 'pid')}`,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    ...tls,
    limits,
    'database mdb',
    `suffix "${LDAP_BASE}"`,
    `rootdn "cn=root,${LDAP_BASE}"`,
    `directory ${join(folder, 'data')}`,
    'maxsize 268435456',
    'dbnosync',
    'access to attrs=userPassword by anonymous auth by * none',
    `access to * by dn.exact="${LDAP_ADMIN}" read by anonymous auth by users read by * none`,
    '',
  ].join('\n');

async function writeCertificate(folder: string, { certPem, keyPem }: SelfSigned): Promise<string[]> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(cert, certPem);
  await writeFile(key, keyPem, { mode: 0o600 });
  return [`TLSCertificateFile ${cert}`, `TLSCertificateKeyFile ${key}`];
}

function ldifOf(people: readonly LdapPerson[]): string {
  const entries = [
    { dn: LDAP_BASE, objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' },
    {
      dn: LDAP_ADMIN,
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: 'admin',
      userPassword: LDAP_PASSWORD,
    },
    ...people.map(({ uid, ...more }) => ({
      dn: `uid=${uid},${LDAP_BASE}`,
      objectClass: ['inetOrgPerson'],
      uid,
      cn: uid,
      sn: uid,
      ...more,
    })),
  ];
  return entries
    .map((entry) =>
      Object.entries(entry)
        .flatMap(([name, value]) => linesOf(name, value))
        .join('\n'),
    )
    .join('\n\n');
}

/** Every value in Base64: then none needs a check. */
function linesOf(name: string, value: string | readonly string[] | Buffer): string[] {
  const values = Array.isArray(value) ? (value as readonly string[]) : [value as string | Buffer];
  return values.map((one) => `${name}:: ${Buffer.from(one).toString('base64')}`);
}
