import * as z from 'zod';

/** SHA-256 of a certificate, as 64 hex digits; colons and case do not matter on input. */
const Fingerprint = z
  .string()
  .transform((text) => text.replaceAll(/[:\s]/g, '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 fingerprint: 64 hex digits'));

/** How the certificate of a remote panel is trusted. `mutual` also presents a certificate of our own. */
export const Trust = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('verify') }),
  z.object({ mode: z.literal('pin'), fingerprint: Fingerprint }),
  z.object({
    mode: z.literal('mutual'),
    certificate: z
      .string()
      .max(20_000)
      .regex(/-----BEGIN CERTIFICATE-----/, 'must be a certificate in PEM'),
    /** Pin of the panel's own certificate; absent = verified as usual. */
    fingerprint: Fingerprint.optional(),
  }),
]);
export type Trust = z.output<typeof Trust>;

/** `session`: signed in with a password in the window. `token`: an API token. `certificate`: that of mutual trust. */
export const SignInKind = z.enum(['session', 'token', 'certificate']);
export type SignInKind = z.output<typeof SignInKind>;

const MAX_ADDRESS = 500;
/** Base address of a panel with its base path: ends with a slash, and has nothing else. */
export const PanelAddress = z
  .string()
  .trim()
  .max(MAX_ADDRESS)
  .refine(isPanelAddress, 'must be an http or https address without user name, query or fragment')
  .transform((text) => {
    const { origin, pathname } = new URL(text);
    return `${origin}${pathname.replace(/\/*$/, '')}/`;
  })
  // As it is stored, and read again: the last slash and encoded letters count.
  .pipe(z.string().max(MAX_ADDRESS));

function isPanelAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== '' && username + password + search + hash === '';
}

const Shown = {
  name: z.string().trim().min(1).max(64),
  /** One of the named colours that tint the window. */
  color: z.enum(['blue', 'teal', 'green', 'orange', 'red', 'grape', 'gray']),
  address: PanelAddress,
  signIn: SignInKind,
  trust: Trust,
};

/** Input for a remote panel. Secrets left out of a change stay as they are. */
export const ConnectionInput = z
  .object({
    id: z.string().max(64).optional(),
    ...Shown,
    token: z.string().trim().min(1).max(512).optional(),
    clientKey: z.string().max(20_000).optional(),
  })
  .refine(({ signIn, trust }) => signIn !== 'certificate' || trust.mode === 'mutual', {
    path: ['signIn'],
    message: 'signing in with a certificate needs mutual trust',
  })
  .refine(({ trust, address }) => trust.mode === 'verify' || address.startsWith('https:'), {
    path: ['trust'],
    message: 'only an https address shows a certificate',
  });
export type ConnectionInput = z.output<typeof ConnectionInput>;

/** A saved remote panel, stored in the clear: nothing in it is secret. */
export const SavedConnection = z.object({ id: z.string(), ...Shown, lastUsedAtMs: z.int() });
export type SavedConnection = z.output<typeof SavedConnection>;

/** Secrets that only the system's key store may open. */
export interface ConnectionSecrets {
  token?: string | undefined;
  /** Private key for mutual trust, PEM. */
  clientKey?: string | undefined;
  /** Cookies of the panel's session, by name. */
  cookies?: Record<string, string> | undefined;
}

/** Id of this computer's panel. */
export const LOCAL = 'local';
