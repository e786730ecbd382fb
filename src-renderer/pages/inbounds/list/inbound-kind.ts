import type { CountedInbound } from '#contract/inbounds';

/** Protocol, transport and security; stored text that is no object says only the first. */
export function kindOf({ protocol, streamSettings }: Pick<CountedInbound, 'protocol' | 'streamSettings'>): string[] {
  const { network, security } = Object(streamSettings) as { network?: unknown; security?: unknown };
  return [protocol, network, security === 'none' ? undefined : security].filter(
    (word): word is string => typeof word === 'string' && word !== '',
  );
}

/** How an inbound is called where its name is asked. */
export function nameOf({ remark, tag, id }: Pick<CountedInbound, 'remark' | 'tag' | 'id'>): string {
  return remark || tag || `#${id}`;
}
