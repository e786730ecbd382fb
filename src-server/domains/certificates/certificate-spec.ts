import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isHostText } from '../../contract/fields/host-text.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { CertificateSpec, type Directory } from './contract.ts';

const EAB_DIRECTORIES: ReadonlySet<Directory> = new Set<Directory>(['google', 'googleStaging', 'zerossl']);

const refuse = (field: string, code: string, params: Record<string, string | number> = {}): DomainError =>
  new DomainError(code, params, { field });

export interface SpecContext {
  hasEabKey: boolean;
  hookFolder: string;
  isHookUsable: (name: string) => Promise<boolean>;
}

/**
 * Normalises an order: names as DNS writes them, without duplicates.
 * @throws {DomainError} `certificate.*` at its field
 */
export async function checkedSpec(given: CertificateSpec, context: SpecContext): Promise<CertificateSpec> {
  const spec = { ...given, names: [...new Set(given.names.map((name, at) => checkedName(given, name, at)))] };
  if (spec.source === 'selfSigned') return spec;
  if (spec.directory === 'custom') requireDirectory(spec.directoryUrl);
  if (!spec.termsAgreed) throw refuse('termsAgreed', 'certificate.terms');
  const wantsEab = EAB_DIRECTORIES.has(spec.directory) || spec.eabKid !== '';
  if (wantsEab && (spec.eabKid === '' || !context.hasEabKey)) throw refuse('eabKid', 'certificate.eabMissing');
  if (spec.challengeAddress !== '' && isIP(spec.challengeAddress) === 0)
    throw refuse('challengeAddress', 'certificate.listenAddress');
  if (spec.challenge === 'dns-01' && !(await context.isHookUsable(spec.dnsHook)))
    throw refuse('dnsHook', 'certificate.hook', { folder: context.hookFolder });
  return spec;
}

function checkedName({ source, challenge }: CertificateSpec, given: string, at: number): string {
  const field = `names[${at}]`;
  const text = given.toLowerCase().replace(/\.$/, '');
  if (isIP(text) !== 0) {
    if (source === 'acme') throw refuse(field, 'certificate.address', { name: given });
    return text;
  }
  const isWildcard = text.startsWith('*.');
  const name = domainToASCII(isWildcard ? text.slice(2) : text);
  if (!isHostText(name) || isIP(name) !== 0 || (source === 'acme' && !name.includes('.')))
    throw refuse(field, 'certificate.badName', { name: given });
  if (isWildcard && source === 'acme' && challenge !== 'dns-01')
    throw refuse(field, 'certificate.wildcard', { name: given });
  return isWildcard ? `*.${name}` : name;
}

function requireDirectory(text: string): void {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw refuse('directoryUrl', 'certificate.directoryUrl');
}

/** As stored; values from a newer or damaged database that this panel does not know read as their default. */
export function readSpec(text: string): CertificateSpec {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const parsed = CertificateSpec.safeParse(value);
  return parsed.success ? parsed.data : CertificateSpec.parse({ names: ['unreadable.invalid'], challenge: 'dns-01' });
}

/** Address of the directory to use. */
export async function directoryUrlOf({ directory: name, directoryUrl }: CertificateSpec): Promise<string> {
  if (name === 'custom') return directoryUrl;
  const { directory } = await import('./acme/acme-library.ts');
  const known: Record<Exclude<Directory, 'custom'>, string> = {
    letsencrypt: directory.letsencrypt.production,
    letsencryptStaging: directory.letsencrypt.staging,
    google: directory.google.production,
    googleStaging: directory.google.staging,
    zerossl: directory.zerossl.production,
  };
  return known[name];
}
