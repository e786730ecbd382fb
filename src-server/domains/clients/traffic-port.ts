import type { WriteTransaction } from '../../store/open-store.ts';

/** Why counters are set manually: the kind of bookkeeping source in the ledger entry that explains the difference. */
export type CounterReason = 'reset' | 'manual' | 'opening';

/** Absolute counters in bytes. */
export interface Counters {
  upBytes: number;
  downBytes: number;
}

/**
 * What client verbs need from traffic accounting. All methods with a transaction run inside the caller's: counters, ledger
 * and baselines move together with the change that causes it, or not at all. Every method takes any number of clients and
 * runs a fixed number of statements per chunk of them.
 */
export interface ClientTrafficPort {
  /**
   * Sets the counters in `clientStates`, with one ledger entry per client that explains the difference. The next byte
   * the core reports is added to the new value. A client that already has these counters gets no entry. Enable flags,
   * quotas and `lastOnlineAtMs` are not touched.
   */
  setCounters(
    trx: WriteTransaction,
    clientIds: readonly number[],
    to: Counters | 'zero',
    reason: CounterReason,
    nowMs: number,
  ): Promise<void>;
  /** Like {@link setCounters}, with separate values for each client: undoes a change of counters. */
  bookCounters(
    trx: WriteTransaction,
    entries: readonly (Counters & { clientId: number })[],
    reason: CounterReason,
    nowMs: number,
  ): Promise<void>;
  /**
   * Takes over counters per client, like {@link setCounters} with reason `opening` and separate values for each: kept
   * traffic that a returning e-mail adopts, counters of an imported inbound.
   */
  openCounters(
    trx: WriteTransaction,
    entries: readonly (Counters & { clientId: number })[],
    nowMs: number,
  ): Promise<void>;
  /**
   * Must be awaited before, and outside of, a transaction that gives these e-mails to clients: bytes moved under them
   * so far go to the previous owner. Costs nothing for names the core has never counted.
   */
  settleSubjects(emails: readonly string[]): Promise<void>;
  /**
   * Binds new clients to these e-mails: what the core already counted under such a name is not credited to them;
   * counting starts with their own first byte.
   */
  bindSubjects(trx: WriteTransaction, entries: readonly { email: string; clientId: number }[]): Promise<void>;
  /** The client's e-mail changed: bytes under the old name still go to it until the core forgets that name. */
  renameSubject(trx: WriteTransaction, from: string, to: string, clientId: number): Promise<void>;
  /**
   * Called before the clients' rows are deleted: later bytes under their names have no owner, and their ledger is
   * deleted with them.
   */
  releaseSubjects(trx: WriteTransaction, clientIds: readonly number[]): Promise<void>;
  /** Drops the addresses where the clients were seen. */
  forgetAddresses(trx: WriteTransaction, clientIds: readonly number[]): Promise<void>;
  /**
   * E-mails, spelled as stored, with traffic within the last 20 s. The same object is returned until the set changes,
   * so callers may cache by identity.
   */
  onlineEmails(): ReadonlySet<string>;
  /**
   * The next end of a client that renews on this day of the month: the first midnight of such a day after `nowMs` in
   * the panel's time zone, in ms since the epoch. In a shorter month, its last day counts.
   */
  nextRenewalMs(day: number, nowMs: number): number;
}
