import { randomInt, randomUUID } from 'node:crypto';
import { besideActive } from '../../store/beside-active.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { readRow, writeRow } from './repository.ts';

interface HiddenRule {
  /** Value when the row is missing or empty. */
  standard?: string;
  isSealed?: boolean;
  /** Creates the value when there is none; it is stored at once and then stays. */
  make?: () => string;
}

/** Values in the settings table that no settings call returns or saves. */
const HIDDEN = {
  /** 32 alphanumerics; signs what the panel hands out and later verifies. A blank one would make forgeries valid. */
  secret: { isSealed: true, make: randomAlphanumerics },
  /** UUID of this panel in a chain of nodes. */
  panelGuid: { make: randomUUID },
  /** Core template text; empty = the built-in one. */
  coreTemplateConfig: {},
  coreOutboundTestUrl: { standard: 'https://www.google.com/generate_204' },
  /** Tunnel provider: credentials as JSON, and unix seconds of the last key rotation. */
  tunnel: { isSealed: true },
  tunnelLastUpdate: { standard: '0' },
  /** VPN provider: credentials as JSON. */
  vpn: { isSealed: true },
  devChannelEnable: { standard: 'false' },
  /** Names of dismissed checks, as a comma list. */
  checklistDismissed: {},
  /** Id of the last event marked as read in the panel. */
  eventsReadUpTo: { standard: '0' },
  /** The bot's last message taken: `<bot id>:<update id>`. */
  tgBotLastUpdate: {},
  /** Used links to the bot that have not expired, with blanks between. */
  tgBotUsedLinks: {},
  /** State that runs of the directory sync keep, as JSON. */
  directoryMemory: {},
  /** Address at which enrolled nodes find this panel; empty = the one each enrolled at. */
  nodesFindPanelAt: {},
  nodeMtlsCaCertPem: {},
  nodeMtlsCaKeyPem: { isSealed: true },
  nodeMtlsClientCertPem: {},
  nodeMtlsClientKeyPem: { isSealed: true },
  nodeMtlsClientCertSha256: {},
  nodeMtlsClientCAPem: {},
} satisfies Record<string, HiddenRule>;
export type HiddenKey = keyof typeof HIDDEN;

/** Values sealed with the key of the data folder. */
export const SEALED_HIDDEN_KEYS: readonly string[] = Object.entries<HiddenRule>(HIDDEN)
  .filter(([, { isSealed }]) => isSealed === true)
  .map(([key]) => key);

/** Reads one where nothing may be created or written; empty = there is none yet, null = this key does not open it. */
export async function peekHidden(reader: Store['reader'], secrets: Secrets, key: HiddenKey): Promise<string | null> {
  const rule: HiddenRule = HIDDEN[key];
  const stored = (await readRow(reader, key)) ?? '';
  return rule.isSealed === true ? secrets.open(key, stored) : stored;
}

/** Reads and writes values that are not part of the settings object. */
export function createHiddenSettings(store: Store, secrets: Secrets) {
  async function read(key: HiddenKey, trx?: WriteTransaction): Promise<string> {
    const rule: HiddenRule = HIDDEN[key];
    const stored = (await readRow(trx ?? store.reader, key)) ?? '';
    const value = rule.isSealed === true ? (secrets.open(key, stored) ?? '') : stored;
    return value === '' ? (rule.standard ?? '') : value;
  }

  async function write(trx: WriteTransaction, key: HiddenKey, value: string): Promise<void> {
    const rule: HiddenRule = HIDDEN[key];
    await writeRow(trx, key, rule.isSealed === true ? secrets.seal(key, value) : value);
  }

  /** Reads again inside the transaction: of two first readers one creates the value, the other gets it. */
  async function readOrMake(trx: WriteTransaction, key: HiddenKey, make: () => string): Promise<string> {
    const present = await read(key, trx);
    if (present !== '') return present;
    const made = make();
    await write(trx, key, made);
    return made;
  }

  return {
    /**
     * @param trx the current transaction, when the caller is inside one.
     * @returns the value, or its default; `secret` and `panelGuid` are created and stored on first use. A sealed value
     * that cannot be opened reads as absent.
     */
    async hidden(key: HiddenKey, trx?: WriteTransaction): Promise<string> {
      const value = await read(key, trx);
      const { make }: HiddenRule = HIDDEN[key];
      if (value !== '' || make === undefined) return value;
      // A standby panel may be the first to need it.
      return trx === undefined
        ? besideActive(() => store.write((own) => readOrMake(own, key, make)))
        : readOrMake(trx, key, make);
    },
    async setHidden(key: HiddenKey, value: string, trx?: WriteTransaction): Promise<void> {
      if (trx === undefined) await store.write((own) => write(own, key, value));
      else await write(trx, key, value);
    },
  };
}
export type HiddenSettings = ReturnType<typeof createHiddenSettings>;

function randomAlphanumerics(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
