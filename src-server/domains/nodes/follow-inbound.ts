import type { JsonObject } from '../../contract/json.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { fallbackSources } from '../inbounds/machine-check.ts';
import { canonical } from './canonical.ts';
import { isInboundAgreed } from './repository-adopt.ts';
import { inboundRow } from './repository-push.ts';
import { settingsOf, type TakeOverDeps, type Told, type ToldInbound } from './told.ts';
import { wireInbound } from './wire.ts';

/** What can be changed on a node's own panel. Clients and the tag are looked at by themselves. */
const MEMBERS = [
  'enable',
  'remark',
  'listen',
  'port',
  'protocol',
  'expiryTime',
  'total',
  'trafficReset',
  'settings',
  'streamSettings',
  'sniffing',
] as const;

/**
 * Gives an inbound here the values it has on its node, where they are other ones than were delivered.
 * @param held `tags`: what it may be called from now on; empty = as before
 * @returns whether both agree now
 * @throws {ValidationError} what is told is no inbound; it stays as it is
 */
export async function followInbound(
  { store, adoption }: TakeOverDeps,
  { row: { id: nodeId } }: Told,
  inbound: ToldInbound,
  { inboundId, tags }: { inboundId: number; tags: readonly string[] },
): Promise<boolean> {
  const row = await inboundRow(store.reader, inboundId);
  if (row === undefined) return false;
  const fallbacks = await fallbackSources(store.reader, inboundId);
  const sent = wireInbound(row, nodeId, { entries: null, fallbacks });
  const settings: JsonObject = { ...settingsOf(inbound) };
  const hasRules = fallbacks.length > 0;
  // Rules go there as addresses; what they are made of stays here.
  if (hasRules) settings['fallbacks'] = (sent['settings'] as JsonObject)['fallbacks'] ?? [];
  const told: JsonObject = { ...inbound.told, settings };
  if (tags.length === 0 && MEMBERS.every((member) => canonical(told[member]) === canonical(sent[member]))) return true;
  if (hasRules) {
    const own = parseJsonObject(row.settings)?.['fallbacks'];
    if (own === undefined) delete settings['fallbacks'];
    else settings['fallbacks'] = own;
  }
  await adoption.follow(inboundId, told, { isCurrent: (trx) => isInboundAgreed(trx, inboundId), tags });
  return true;
}
