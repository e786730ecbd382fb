import { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Basics } from '../../basics.ts';
import { fingerprintOf, isClientOf } from '../../../net/client-of.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import type { Place } from '../../../net/trunk/messages.ts';
import { openNodeEnd } from '../../../net/trunk/trunk-ends.ts';
import { dialTrunk, TRUNK_PATH, TrunkRefused } from '../../../net/trunk/trunk-stream.ts';
import { secureAsNode } from '../../../net/trunk/trunk-tls.ts';
import type { Store } from '../../../store/open-store.ts';
import type { Secrets } from '../../../store/secrets/secrets.ts';
import { handleMasterRequest } from './handle-master-request.ts';
import type { KeptMaster } from './kept-master.ts';
import { masterKeySeal } from './repository.ts';

const OPEN_WITHIN_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A trunk that ends sooner counts as a failure: a master that turns this panel away is not dialled every second. */
const LASTING_MS = 10_000;
/** Jitter of each wait in both directions, so that a restarted master is not dialled by its whole fleet at once. */
const JITTER = 0.25;

interface DiallingDeps extends Pick<Basics, 'clock' | 'monotonic' | 'schedule' | 'log'> {
  store: Pick<Store, 'write'>;
  secrets: Pick<Secrets, 'seal' | 'open'>;
  dialer: Pick<GuardedDialer, 'connect'>;
  /** Serves a connection to the API. @param fingerprint of the master's certificate */
  serve: (connection: Duplex, fingerprint: string) => void;
  /** Where this panel listens. */
  place: () => Place;
  /** Whether the master is still wanted: its enrolment may end while it is dialled. */
  isKept: (master: KeptMaster) => boolean;
  /** Aborted when the panel stops. */
  closing: AbortSignal;
}

/** Opens trunks to masters. A master without one is dialled again, after waits that grow to a minute. */
export function createDialling(deps: DiallingDeps) {
  const { secrets, dialer, serve, schedule, clock, monotonic, log, isKept, closing } = deps;

  async function secured(master: KeptMaster, stream: Duplex): Promise<void> {
    const { trunkId, certificate, authority } = master.row;
    const key = secrets.open(masterKeySeal(trunkId), master.row.key);
    if (key === null) throw new Error('the key of this panel for its master was sealed with another key: enrol again');
    const ca = new X509Certificate(authority);
    let fingerprint = '';
    const signal = AbortSignal.any([closing, AbortSignal.timeout(OPEN_WITHIN_MS)]);
    const socket = await secureAsNode(
      stream,
      { cert: certificate, key },
      (peer) => {
        fingerprint = fingerprintOf(peer.certificate);
        return isClientOf(peer.certificate, ca, clock());
      },
      signal,
    );
    if (!isKept(master)) {
      socket.destroy();
      return;
    }
    const end = openNodeEnd(socket, {
      take: (connection) => serve(connection, fingerprint),
      respond: (path, request) => handleMasterRequest(deps, master, path, request),
    });
    const openedAtMs = monotonic();
    master.ends.add(end);
    master.lastProblem = '';
    log.info('master.trunkOpen', { master: master.row.name });
    void end.closed.then(() => {
      master.ends.delete(end);
      master.failures = monotonic() - openedAtMs < LASTING_MS ? master.failures + 1 : 0;
      log.info('master.trunkEnded', { master: master.row.name });
      dialLater(master);
    });
  }

  function dialLater(master: KeptMaster): void {
    const isWanted = isKept(master) && !closing.aborted;
    if (!isWanted || master.isDialling || master.wait !== null || master.ends.size > 0) return;
    const base = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(master.failures, 16));
    const delayMs = Math.round(base * (1 + JITTER * (2 * Math.random() - 1)));
    master.wait = schedule.after(delayMs, () => {
      master.wait = null;
      return dial(master);
    });
  }

  async function dial(master: KeptMaster): Promise<void> {
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
        signal: closing,
      });
      await secured(master, stream);
    } catch (error) {
      master.failures += 1;
      const text = error instanceof TrunkRefused ? `${error.message} ${error.code}`.trim() : (error as Error).message;
      // Logged once per reason: a master may be unreachable for days.
      if (text !== master.lastProblem && !closing.aborted) log.warn('master.notReached', { master: name, url, text });
      master.lastProblem = text;
    } finally {
      master.isDialling = false;
      dialLater(master);
    }
  }

  return { secured, dial };
}
