import { createPublicKey, generateKeyPairSync, X509Certificate, type KeyObject } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Basics } from '../../basics.ts';
import type { Timer } from '../../../contract/schedule.ts';
import { fingerprintOf, isClientOf } from '../../../net/client-of.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import { Moved, NodeCertificate, QUESTION } from '../../../net/trunk/messages.ts';
import { openNodeEnd } from '../../../net/trunk/trunk-ends.ts';
import { dialTrunk, TRUNK_PATH, TrunkRefused } from '../../../net/trunk/trunk-stream.ts';
import { secureAsNode } from '../../../net/trunk/trunk-tls.ts';
import type { Store } from '../../../store/open-store.ts';
import type { Secrets } from '../../../store/secrets/secrets.ts';
import { allMasters, masterKeySeal, moveMaster, renewCertificate, type MasterRow } from './repository.ts';

/** How soon an enrolment made by a command is noticed. */
const LOOK_EVERY_MS = 3_000;
const OPEN_WITHIN_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Jitter of each wait in both directions, so that a restarted master is not dialled by its whole fleet at once. */
const JITTER = 0.25;

export interface MastersDeps extends Pick<Basics, 'clock' | 'schedule' | 'log'> {
  store: Pick<Store, 'reader' | 'write'>;
  secrets: Pick<Secrets, 'seal' | 'open'>;
  dialer: Pick<GuardedDialer, 'connect'>;
  /** Serves a connection to the API. @param fingerprint of the master's certificate */
  serve: (connection: Duplex, fingerprint: string) => void;
}

/** A trunk to a master, and the wait for the next attempt. */
interface Kept {
  row: MasterRow;
  /** Open trunks; the master may have dialled one itself. */
  ends: Set<ReturnType<typeof openNodeEnd>>;
  /** Consecutive failed attempts. */
  failures: number;
  isDialling: boolean;
  wait: Timer | null;
  /** A key waiting for its certificate. */
  nextKey: KeyObject | null;
  lastProblem: string;
}

/**
 * The masters this panel has enrolled with. It dials each and keeps the connection, which the master uses for requests.
 */
export function createMasters({ store, secrets, dialer, serve, schedule, clock, log }: MastersDeps) {
  const kept = new Map<string, Kept>();
  const closing = new AbortController();
  let looking: Timer | null = null;

  async function secured(master: Kept, stream: Duplex): Promise<void> {
    const { trunkId, certificate, authority } = master.row;
    const key = secrets.open(masterKeySeal(trunkId), master.row.key);
    if (key === null) throw new Error('the key of this panel for its master was sealed with another key: enrol again');
    const ca = new X509Certificate(authority);
    let fingerprint = '';
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(OPEN_WITHIN_MS)]);
    const socket = await secureAsNode(
      stream,
      { cert: certificate, key },
      (peer) => {
        fingerprint = fingerprintOf(peer.certificate);
        return isClientOf(peer.certificate, ca, clock());
      },
      signal,
    );
    if (kept.get(trunkId) !== master) {
      socket.destroy();
      return;
    }
    const end = openNodeEnd(socket, {
      take: (connection) => serve(connection, fingerprint),
      answer: (path, question) => answer(master, path, question),
    });
    master.ends.add(end);
    master.failures = 0;
    master.lastProblem = '';
    log.info('master.trunkOpen', { master: master.row.name });
    void end.closed.then(() => {
      master.ends.delete(end);
      log.info('master.trunkEnded', { master: master.row.name });
      dialLater(master);
    });
  }

  /** Renews this panel's certificate for a new key, created here. */
  async function answer(master: Kept, path: string, question: unknown): Promise<object | null> {
    if (path === QUESTION.renew) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      master.nextKey = pair.privateKey;
      return { publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() };
    }
    if (path === QUESTION.moved) {
      const { url } = Moved.parse(question);
      if (url === master.row.url) return {};
      await store.write((trx) => moveMaster(trx, master.row, url));
      log.info('master.moved', { master: master.row.name, url });
      Object.assign(master.row, { formerUrl: master.row.url, url, name: new URL(url).host });
      return {};
    }
    if (path !== QUESTION.certificate || master.nextKey === null) return null;
    const { certificate } = NodeCertificate.parse(question);
    const { trunkId, authority } = master.row;
    const [own, ca] = [new X509Certificate(certificate), new X509Certificate(authority)];
    if (!own.publicKey.equals(createPublicKey(master.nextKey)) || !own.verify(ca.publicKey)) return null;
    const pem = master.nextKey.export({ type: 'sec1', format: 'pem' }).toString();
    const values = { certificate, key: secrets.seal(masterKeySeal(trunkId), pem) };
    await store.write((trx) => renewCertificate(trx, trunkId, values));
    Object.assign(master.row, values);
    master.nextKey = null;
    log.info('master.certificateRenewed', { master: master.row.name });
    return {};
  }

  function dialLater(master: Kept): void {
    const isWanted = kept.get(master.row.trunkId) === master && !closing.signal.aborted;
    if (!isWanted || master.isDialling || master.wait !== null || master.ends.size > 0) return;
    const base = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(master.failures, 16));
    const delayMs = Math.round(base * (1 + JITTER * (2 * Math.random() - 1)));
    master.wait = schedule.after(delayMs, () => {
      master.wait = null;
      return dial(master);
    });
  }

  async function dial(master: Kept): Promise<void> {
    if (master.isDialling || master.ends.size > 0) return;
    master.isDialling = true;
    const { trunkId, formerUrl, name } = master.row;
    // It may not have moved yet, or have moved back.
    const isFormerTurn = formerUrl !== '' && master.failures % 2 === 1;
    const url = isFormerTurn ? formerUrl : master.row.url;
    try {
      const { stream } = await dialTrunk(new URL(`${TRUNK_PATH}?node=${trunkId}`, url), {
        dialer,
        schedule,
        allowPrivate: true,
        timeoutMs: OPEN_WITHIN_MS,
        signal: closing.signal,
      });
      await secured(master, stream);
    } catch (error) {
      master.failures += 1;
      const text = error instanceof TrunkRefused ? `${error.message} ${error.code}`.trim() : (error as Error).message;
      // Logged once per reason: a master may be unreachable for days.
      if (text !== master.lastProblem && !closing.signal.aborted)
        log.warn('master.notReached', { master: name, url, text });
      master.lastProblem = text;
    } finally {
      master.isDialling = false;
      dialLater(master);
    }
  }

  function drop(trunkId: string): void {
    const master = kept.get(trunkId);
    kept.delete(trunkId);
    master?.wait?.cancel();
    for (const end of master?.ends ?? []) end.destroy();
  }

  /** Another address was entered by a command outside this process. */
  function redial(master: Kept, { url, formerUrl, name }: MasterRow): void {
    Object.assign(master.row, { url, formerUrl, name });
    master.failures = 0;
    master.wait?.cancel();
    master.wait = null;
    void dial(master);
  }

  /** Commands outside this process can enrol, change the address, and end an enrolment. */
  async function look(): Promise<void> {
    const rows = await allMasters(store.reader);
    const wanted = new Set(rows.map(({ trunkId }) => trunkId));
    for (const trunkId of kept.keys()) if (!wanted.has(trunkId)) drop(trunkId);
    for (const row of rows) {
      if (closing.signal.aborted) continue;
      const before = kept.get(row.trunkId);
      if (before !== undefined && before.row.url !== row.url) redial(before, row);
      if (before !== undefined) continue;
      const master: Kept = {
        row,
        ends: new Set(),
        failures: 0,
        isDialling: false,
        wait: null,
        nextKey: null,
        lastProblem: '',
      };
      kept.set(row.trunkId, master);
      // Not awaited: one master must not delay another.
      void dial(master);
    }
  }

  return {
    /** Whether this panel has an enrolment with this authority. */
    has: (trunkId: string): boolean => kept.has(trunkId),
    /** The master has dialled. @throws {Error} when it is a different master */
    async accept(trunkId: string, stream: Duplex): Promise<void> {
      const master = kept.get(trunkId);
      if (master === undefined) stream.destroy();
      else await secured(master, stream);
    },
    async start(): Promise<void> {
      await look();
      looking ??= schedule.every(LOOK_EVERY_MS, look);
    },
    close(): void {
      looking?.cancel();
      closing.abort();
      for (const trunkId of kept.keys()) drop(trunkId);
    },
  };
}
