import type { ConnectionColor, ConnectionDraft, ConnectionView, TrustView } from '../../../src-main/bridge/contract.ts';
import { urlOf } from '../../forms/url-of.ts';

export const COLORS: readonly ConnectionColor[] = ['blue', 'teal', 'green', 'orange', 'red', 'grape', 'gray'];

/** Contents of the dialog while it is edited. */
export interface Fields {
  name: string;
  color: ConnectionColor;
  address: string;
  signIn: ConnectionDraft['signIn'];
  trust: TrustView['mode'];
  fingerprint: string;
  certificate: string;
  /** Blank keeps the stored one. */
  token: string;
  clientKey: string;
}

export function firstFields(connection: ConnectionView | null, prefilled: { address: string; name: string }): Fields {
  const trust: TrustView = connection?.trust ?? { mode: 'verify' };
  return {
    name: connection?.name ?? prefilled.name,
    // A different colour from this computer's panel, so that the window shows at a glance which panel it is.
    color: connection?.color ?? 'orange',
    address: connection?.address ?? prefilled.address,
    signIn: connection?.signIn ?? 'session',
    trust: trust.mode,
    fingerprint: trust.mode === 'verify' ? '' : (trust.fingerprint ?? ''),
    certificate: trust.mode === 'mutual' ? trust.certificate : '',
    token: '',
    clientKey: '',
  };
}

export function toDraft(fields: Fields, id: string | undefined): ConnectionDraft {
  const { name, color, address, signIn, token, clientKey } = fields;
  return {
    ...(id === undefined ? {} : { id }),
    // A panel without a name goes by its host.
    name: name.trim() === '' ? hostOf(address) : name,
    color,
    address,
    signIn,
    trust: trustOf(fields),
    ...(signIn === 'token' && token !== '' ? { token } : {}),
    ...(fields.trust === 'mutual' && clientKey !== '' ? { clientKey } : {}),
  };
}

function trustOf({ address, trust, fingerprint, certificate }: Fields): TrustView {
  if (trust === 'verify' || address.trim().startsWith('http:')) return { mode: 'verify' };
  if (trust === 'pin') return { mode: 'pin', fingerprint };
  return { mode: 'mutual', certificate, ...(fingerprint.trim() === '' ? {} : { fingerprint }) };
}

function hostOf(address: string): string {
  return urlOf(address)?.host ?? '';
}
