import { DomainError } from '../../../contract/domain-error.ts';
import type { TemplatePort } from '../dependencies.ts';
import { transportLabel, type Listener } from './port-conflicts.ts';

/** Tags of the template's own inbounds. */
export async function tagsOfTemplate(templates: Pick<TemplatePort, 'listeners'>): Promise<ReadonlySet<string>> {
  return new Set((await templates.listeners()).map(({ tag }) => tag));
}

/** Tags used by the core's own parts in every config. */
const RESERVED = new Set(['api']);

/** `in-443-tcp`, for inbounds of node 3 `n3-in-443-tcp`: the prefix leaves the plain tag free for this panel. */
export function baseTag({ port, transports, nodeId }: Omit<Listener, 'listen' | 'serverId'>): string {
  return `${nodeId === null ? '' : `n${nodeId}-`}in-${port}-${transportLabel(transports)}`;
}

/** Whether `tag` was generated for this place: its base tag, optionally with a number appended. */
export function isGeneratedTag(tag: string, base: string): boolean {
  return tag === base || (tag.startsWith(`${base}-`) && /^\d+$/.test(tag.slice(base.length + 1)));
}

/**
 * The requested tag if it is free, otherwise the base tag, otherwise that with the first free number from 2 to 99.
 * @throws {DomainError} `inbound.tagExhausted`
 */
export async function pickTag(
  wanted: string,
  place: Omit<Listener, 'listen' | 'serverId'>,
  isTaken: (tag: string) => Promise<boolean>,
): Promise<string> {
  const isFree = async (tag: string) => !RESERVED.has(tag) && !(await isTaken(tag));
  if (wanted !== '' && (await isFree(wanted))) return wanted;
  const base = baseTag(place);
  if (await isFree(base)) return base;
  for (let suffix = 2; suffix <= 99; suffix++) if (await isFree(`${base}-${suffix}`)) return `${base}-${suffix}`;
  throw new DomainError('inbound.tagExhausted', { port: place.port });
}
