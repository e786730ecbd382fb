import { createPublicKey, X509Certificate } from 'node:crypto';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Schedule } from '../../../contract/schedule.ts';
import { isClientOf, isValidAt } from '../../../net/client-of.ts';
import { DialError } from '../../../net/dial-error.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import { Done, NodeCertificate, TRUNK_REQUEST, Refused, type Introduction } from '../../../net/trunk/messages.ts';
import { keyPin, type Ticket } from '../../../net/trunk/ticket.ts';
import { openNodeEnd } from '../../../net/trunk/trunk-ends.ts';
import { dialTrunk, TRUNK_PATH, TrunkRefused } from '../../../net/trunk/trunk-stream.ts';
import { secureAsNode, type TrunkPeer } from '../../../net/trunk/trunk-tls.ts';
import type { Store } from '../../../store/open-store.ts';
import type { Secrets } from '../../../store/secrets/secrets.ts';
import { issueSelfSigned } from '../trust/issue-certificate.ts';
import { deleteMaster, masterKeySeal, saveMaster } from './repository.ts';

const DIAL_MS = 15_000;
const CONVERSATION_MS = 30_000;
/** With a larger difference, certificates issued today are not valid yet on one side. */
const CLOCK_TOLERANCE_MS = 60_000;

export interface EnrolDeps {
  store: Pick<Store, 'write'>;
  secrets: Pick<Secrets, 'seal'>;
  dialer: Pick<GuardedDialer, 'connect'>;
  schedule: Schedule;
  clock: () => number;
  /** What this panel reports about itself. */
  self: Omit<Introduction, 'ticket' | 'secret'>;
  /** A notice to show beside the result. */
  warn: (error: DomainError) => void;
}

/**
 * Makes this panel a node of the panel that created the ticket. The master must first prove that it holds the authority
 * named in the ticket; only then is the secret sent. This panel's key is created here and never leaves it.
 * @returns the node's name on the master
 * @throws {DomainError} `enrolment.*`
 */
export async function enrol(ticket: Ticket, deps: EnrolDeps): Promise<{ name: string; master: string }> {
  const { clock } = deps;
  const url = new URL(ticket.url);
  const { stream, dateMs } = await dialled(ticket, deps);
  const offMs = dateMs === null ? 0 : dateMs - clock();
  const clockProblem = new DomainError('enrolment.clock', { seconds: Math.round(offMs / 1000) });
  const own = await issueSelfSigned(clock());
  let isOutOfTime = false;
  const accepts = (peer: TrunkPeer): boolean => {
    const { certificate, issuer } = peer;
    if (issuer === null || keyPin(issuer.publicKey) !== ticket.authority) return false;
    isOutOfTime = !isValidAt(certificate, clock());
    return isClientOf(certificate, issuer, clock());
  };
  const signal = AbortSignal.timeout(CONVERSATION_MS);
  const socket = await secureAsNode(stream, own, accepts, signal).catch((cause: unknown) => {
    throw isOutOfTime ? clockProblem : new DomainError('enrolment.otherMaster', { url: url.origin }, { cause });
  });
  if (Math.abs(offMs) > CLOCK_TOLERANCE_MS) deps.warn(clockProblem);

  let given: NodeCertificate | null = null;
  return new Promise((resolve, reject) => {
    const handlers: Record<string, (request: unknown) => Promise<object>> = {
      [TRUNK_REQUEST.introduce]: async () =>
        ({ ...deps.self, ticket: ticket.id, secret: ticket.secret }) satisfies Introduction,
      async [TRUNK_REQUEST.certificate](request) {
        given = NodeCertificate.parse(request);
        requireOwn(given, own.key, ticket.authority);
        await keep(given, own.key, ticket.url, deps);
        return {};
      },
      async [TRUNK_REQUEST.done](request) {
        resolve({ name: Done.parse(request).name, master: given?.masterName ?? url.host });
        return {};
      },
      async [TRUNK_REQUEST.refused](request) {
        const { text } = Refused.parse(request);
        const { trunkId } = given ?? {};
        if (trunkId !== undefined) await deps.store.write((trx) => deleteMaster(trx, trunkId));
        reject(new DomainError('enrolment.refused', { text }));
        return {};
      },
    };
    const end = openNodeEnd(socket, {
      take: (connection) => connection.destroy(),
      respond: async (path, request) => (await handlers[path]?.(request)) ?? null,
    });
    const giveUp = () => end.destroy();
    signal.addEventListener('abort', giveUp, { once: true });
    void end.closed.then(() => {
      signal.removeEventListener('abort', giveUp);
      reject(new DomainError('enrolment.unfinished'));
    });
  });
}

async function dialled(ticket: Ticket, { dialer, schedule }: EnrolDeps) {
  const url = new URL(`${TRUNK_PATH}?ticket=${ticket.id}`, ticket.url);
  try {
    // The operator has named it, and it may be in the same private network.
    return await dialTrunk(url, { dialer, schedule, allowPrivate: true, timeoutMs: DIAL_MS });
  } catch (cause) {
    if (cause instanceof TrunkRefused && cause.code.startsWith('enrolment.'))
      throw new DomainError(cause.code, {}, { cause });
    const text = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof TrunkRefused) throw new DomainError('enrolment.noPanel', { url: ticket.url, text }, { cause });
    if (cause instanceof DialError)
      throw new DomainError('enrolment.unreachable', { url: url.origin, text }, { cause });
    throw cause;
  }
}

/** The stored trust gives access to this panel, so every part must be exactly as agreed. */
function requireOwn({ authority, certificate }: NodeCertificate, key: string, pin: string): void {
  const ca = new X509Certificate(authority);
  const own = new X509Certificate(certificate);
  const isOwn = own.publicKey.equals(createPublicKey(key)) && own.checkIssued(ca) && own.verify(ca.publicKey);
  if (!isOwn || keyPin(ca.publicKey) !== pin) throw new Error('this is another certificate');
}

function keep(
  { trunkId, masterName, authority, certificate }: NodeCertificate,
  key: string,
  url: string,
  { store, secrets, clock }: EnrolDeps,
): Promise<void> {
  const sealed = secrets.seal(masterKeySeal(trunkId), key);
  return store.write((trx) =>
    saveMaster(trx, { trunkId, name: masterName, url, authority, certificate, key: sealed, enrolledAtMs: clock() }),
  );
}
