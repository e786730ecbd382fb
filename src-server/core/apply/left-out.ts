import type { LeftOut } from '../config/source.ts';
import type { Session } from '../process/session.ts';

/** Replaces what is known about these clients of an inbound. */
export function noteClients(
  session: Session,
  tag: string,
  emails: readonly string[],
  leftOut: readonly LeftOut[],
): void {
  const isStale = ({ kind, name, reason }: LeftOut): boolean =>
    kind === 'client' && emails.includes(name) && reason.includes(` ${tag}:`);
  const kept = session.leftOut.some(isStale) ? session.leftOut.filter((entry) => !isStale(entry)) : session.leftOut;
  session.leftOut = [...kept, ...leftOut.filter(({ kind }) => kind === 'client')];
}

/** Forgets why these inbounds did not run. */
export function forgetLeftOut(session: Session, tags: readonly (string | undefined)[]): void {
  session.leftOut = session.leftOut.filter(({ kind, name }) => kind !== 'inbound' || !tags.includes(name));
}
