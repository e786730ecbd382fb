import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isHostText } from '../../contract/fields/host-text.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { CertificateWish, type Directory } from './contract.ts';

const EAB_DIRECTORIES: ReadonlySet<Directory> = new Set<Directory>(['google', 'googleStaging', 'zerossl']);

const refuse = (field: string, code: string, params: Record<string, string | number> = {}): DomainError =>
  new DomainError(code, params, { field });

export interface WishContext {
  hasEabKey: boolean;
  hookFolder: string;
  isHookUsable: (name: string) => Promise<boolean>;
}

/**
 * Normalises an order: names as DNS writes them, without duplicates.
 * @throws {DomainError} `certificate.*` at its field
 */
export async function checkedWish(given: CertificateWish, context: WishContext): Promise<CertificateWish> {
  const wish = { ...given, names: [...new Set(given.names.map((name, at) => checkedName(given, name, at)))] };
  if (wish.source === 'selfSigned') return wish;
  if (wish.directory === 'custom') requireDirectory(wish.directoryUrl);
  if (!wish.termsAgreed) throw refuse('termsAgreed', 'certificate.terms');
  const wantsEab = EAB_DIRECTORIES.has(wish.directory) || wish.eabKid !== '';
  if (wantsEab && (wish.eabKid === '' || !context.hasEabKey)) throw refuse('eabKid', 'certificate.eabMissing');
  if (wish.challengeAddress !== '' && isIP(wish.challengeAddress) === 0)
    throw refuse('challengeAddress', 'certificate.listenAddress');
  if (wish.challenge === 'dns-01' && !(await context.isHookUsable(wish.dnsHook)))
    throw refuse('dnsHook', 'certificate.hook', { folder: context.hookFolder });
  return wish;
}

function checkedName({ source, challenge }: CertificateWish, given: string, at: number): string {
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
export function readWish(text: string): CertificateWish {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const parsed = CertificateWish.safeParse(value);
  return parsed.success ? parsed.data : CertificateWish.parse({ names: ['unreadable.invalid'], challenge: 'dns-01' });
}

/** Address of the directory to use. */
export async function directoryUrlOf({ directory: name, directoryUrl }: CertificateWish): Promise<string> {
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
