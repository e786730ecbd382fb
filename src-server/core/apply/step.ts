import { DomainError } from '../../contract/domain-error.ts';
import { CoreApiError, isApiError } from '../api/api-error.ts';
import type { InboundSource } from '../config/source.ts';
import type { Session } from '../process/session.ts';
import { CompileError } from './convert.ts';
import { noteClients } from './left-out.ts';
import type { UserFailure } from './user-operations.ts';

/** Result of one step of a change; `restart` requests what cannot be done live. */
export type Step =
  | { kind: 'unchanged' | 'live' }
  | { kind: 'restart'; reason: string }
  /**
   * `isRefused`: a new process would not help: the core refuses what is stored, or did not finish testing it.
   * `isElseMade`: all that is left to do are inbounds that could not listen.
   */
  | { kind: 'failed'; text: string; isRefused: boolean; isElseMade?: boolean };

export function worse(a: Step, b: Step): Step {
  const order = ['unchanged', 'live', 'failed', 'restart'];
  return order.indexOf(b.kind) > order.indexOf(a.kind) ? b : a;
}

/** A failed call leaves the change half made, or the core without rules: only a new process is certain to be right. */
export function stepOfError(error: unknown): Step {
  if (error instanceof DomainError) return refusedStep(error);
  if (error instanceof CompileError) return { kind: 'failed', text: error.message, isRefused: true };
  // The process is gone; its end is handled elsewhere, and the next start applies everything.
  if (isApiError(error, 'gone')) return { kind: 'failed', text: error.message, isRefused: false };
  if (error instanceof CoreApiError) return { kind: 'restart', reason: error.message };
  throw error;
}

export function refusedStep({ text }: DomainError): Extract<Step, { kind: 'failed' }> {
  return { kind: 'failed', text, isRefused: true };
}

/** The inbound waits until its port is free. */
export function cannotListen(session: Session, { id, tag }: Pick<InboundSource, 'id' | 'tag'>, text: string): Step {
  session.leftOut.push({ kind: 'inbound', name: tag, reason: text });
  session.waiting.set(id, text);
  return { kind: 'failed', text, isRefused: true };
}

/** After a change of the users of one inbound. @param failures none = it is made */
export function stepOfUsers(session: Session, tag: string, failures: readonly UserFailure[]): Step {
  // The inbound should be there but is not: nothing in the snapshot can be trusted.
  if (failures.some(({ error }) => isApiError(error, 'notFound', 'noUserManager')))
    return { kind: 'restart', reason: `${tag} does not answer` };
  return stepOfFailures(session, tag, failures);
}

/**
 * @param tag the inbound of these users; empty = they are of several
 * @throws what is no refusal of the core's API
 */
export function stepOfFailures(session: Session, tag: string, failures: readonly UserFailure[]): Step {
  const [first] = failures;
  if (!first) return { kind: 'live' };
  let isRefused = true;
  for (const { email, error } of failures) {
    if (!(error instanceof CoreApiError)) throw error;
    if (error.code !== 'badAccount') isRefused = false;
    else
      noteClients(
        session,
        tag,
        [email],
        [{ kind: 'client', name: email, reason: `Client left out of ${tag}: ${error.message}` }],
      );
  }
  return {
    kind: 'failed',
    text: first.error instanceof Error ? first.error.message : String(first.error),
    isRefused,
  };
}
