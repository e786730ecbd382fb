import type { Inbound } from '#contract/inbounds';

/** Protocol, transport and security; stored text that is no object says only the first. */
export function kindOf({ protocol, streamSettings }: Pick<Inbound, 'protocol' | 'streamSettings'>): string[] {
  const { network, security } = Object(streamSettings) as { network?: unknown; security?: unknown };
  return [protocol, network, security === 'none' ? undefined : security].filter(
    (word): word is string => typeof word === 'string' && word !== '',
  );
}

/** How an inbound is called where its name is asked. */
export function nameOf({ remark, tag, id }: Pick<Inbound, 'remark' | 'tag' | 'id'>): string {
  return remark || tag || `#${id}`;
}

/** Clients that have no other inbound than these: their counters go with them. */
export function clientsOnlyAt(ids: readonly number[], rows: readonly Inbound[]): number {
  const elsewhere = new Set(
    rows.filter(({ id }) => !ids.includes(id)).flatMap(({ clientStats }) => clientStats.map(({ email }) => email)),
  );
  const here = new Set(
    rows.filter(({ id }) => ids.includes(id)).flatMap(({ clientStats }) => clientStats.map(({ email }) => email)),
  );
  return [...here].filter((email) => !elsewhere.has(email)).length;
}
