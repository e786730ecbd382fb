import { DomainError } from '../../../contract/domain-error.ts';
import type { Settings } from '../contract.ts';

/** Where a stored secret is sent. */
interface Place {
  /** Empty = none, or the messenger's own. */
  server: string;
  /** How the server proves itself: 2 = by a certificate that is checked, 1 = by any certificate, 0 = not at all. */
  proof: 0 | 1 | 2;
  /** Port or proxy: where no certificate is checked, it decides which program gets the secret. */
  route: string | number;
}

const PLACES = {
  tgBotToken: ({ tgBotAPIServer: server, tgBotProxy: route }) => ({
    server,
    proof: /^http:/i.test(server) ? 0 : 2,
    route,
  }),
  smtpPassword: ({ smtpHost: server, smtpPort: route, smtpEncryptionType }) => ({
    server,
    proof: smtpEncryptionType === 'none' ? 0 : 2,
    route,
  }),
  ldapPassword: ({ ldapHost: server, ldapPort: route, ldapUseTLS, ldapStartTLS, ldapInsecureSkipVerify }) => ({
    server,
    proof: !ldapUseTLS && !ldapStartTLS ? 0 : ldapInsecureSkipVerify ? 1 : 2,
    route,
  }),
} as const satisfies Partial<Record<keyof Settings, (settings: Settings) => Place>>;

/** Secrets that the panel sends to a server. */
export type SentSecret = keyof typeof PLACES;
const SENT_SECRETS = Object.keys(PLACES) as SentSecret[];

/**
 * A stored secret is kept only for the server it was entered for. Otherwise a stolen session could read it: it would
 * have the panel send it to another server.
 * @param isEntered whether the operator enters this secret now
 * @throws {DomainError} `settings.secretAgain`
 */
export function checkSecretPlaces(stored: Settings, next: Settings, isEntered: (key: SentSecret) => boolean): void {
  for (const field of SENT_SECRETS) {
    const place: Place = PLACES[field](next);
    if (next[field] === '' || place.server === '' || isEntered(field)) continue;
    // A former one, brought back by an undo: nobody knows which server it was for.
    const isFormer = next[field] !== stored[field];
    if (isFormer || !isStaying(PLACES[field](stored), place))
      throw new DomainError('settings.secretAgain', { field }, { field });
  }
}

const isStaying = (was: Place, next: Place): boolean =>
  next.server === was.server && next.proof >= was.proof && (next.proof === 2 || next.route === was.route);
