import type { CountedInbound } from '#contract/inbounds';

/** Protocol, transport and security; only the protocol when the stored text is not an object. */
export function kindOf({ protocol, streamSettings }: Pick<CountedInbound, 'protocol' | 'streamSettings'>): string[] {
  const { network, security } = Object(streamSettings) as { network?: unknown; security?: unknown };
  return [protocol, network, security === 'none' ? undefined : security].filter(
    (word): word is string => typeof word === 'string' && word !== '',
  );
}

/** The name of an inbound where one has to be typed. */
export function nameOf({ remark, tag, id }: Pick<CountedInbound, 'remark' | 'tag' | 'id'>): string {
  return remark || tag || `#${id}`;
}
