import { DomainError } from '../../../contract/domain-error.ts';
import type { Settings } from '../contract.ts';

/** Where a stored secret is sent. */
interface Place {
  /** Empty = none, or the messenger's own. */
  server: string;
  /** How the server proves itself: 2 = by a certificate that is checked, 1 = by any certificate, 0 = not at all. */
  proof: 0 | 1 | 2;
  /** What decides who answers where no certificate is checked. */
  way: string | number;
}

const PLACES = {
  tgBotToken: ({ tgBotAPIServer: server, tgBotProxy: way }) => ({ server, proof: /^http:/i.test(server) ? 0 : 2, way }),
  smtpPassword: ({ smtpHost: server, smtpPort: way, smtpEncryptionType }) => ({
    server,
    proof: smtpEncryptionType === 'none' ? 0 : 2,
    way,
  }),
  ldapPassword: ({ ldapHost: server, ldapPort: way, ldapUseTLS, ldapStartTLS, ldapInsecureSkipVerify }) => ({
    server,
    proof: !ldapUseTLS && !ldapStartTLS ? 0 : ldapInsecureSkipVerify ? 1 : 2,
    way,
  }),
} as const satisfies Partial<Record<keyof Settings, (settings: Settings) => Place>>;

/** Secrets that the panel sends to a server. */
export type SentSecret = keyof typeof PLACES;
const SENT_SECRETS = Object.keys(PLACES) as SentSecret[];

/**
 * A stored secret is only kept for the server that it was entered for: otherwise whoever gets hold of a session could
 * read it, by letting the panel send it to a server of their own.
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
  next.server === was.server && next.proof >= was.proof && (next.proof === 2 || next.way === was.way);
