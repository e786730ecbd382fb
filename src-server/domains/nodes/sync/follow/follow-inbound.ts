import type { JsonObject } from '../../../../contract/json.ts';
import { parseJsonObject } from '../../../../contract/json-text.ts';
import { fallbackSources } from '../../../inbounds/ports/machine-check.ts';
import { canonicalJson } from '../../../../contract/canonical-json.ts';
import type { Store, WriteTransaction } from '../../../../store/open-store.ts';
import { inboundFacts } from '../../drift/facts.ts';
import { noteInboundApplied } from '../../drift/repository-applied.ts';
import { isInboundAgreed } from '../../adoption/repository-adopt.ts';
import { inboundRow } from '../push/repository-push.ts';
import { settingsOf, type TakeOverDeps, type Reported, type ReportedInbound } from '../reported.ts';
import { MEMBERS, wireInbound } from '../wire.ts';

/**
 * Takes over the node's values of an inbound where they differ from those delivered.
 * @param held `tags`: its possible new names here; empty = unchanged. `isRequested`: even if a change made here is pending
 * @returns whether both sides agree now
 * @throws {ValidationError} the report is no valid inbound; the inbound here stays unchanged
 */
export async function followInbound(
  { store, adoption }: TakeOverDeps,
  { row: { id: nodeId } }: Reported,
  inbound: ReportedInbound,
  { inboundId, tags, isRequested = false }: { inboundId: number; tags: readonly string[]; isRequested?: boolean },
): Promise<boolean> {
  const sides = await inboundSides(store.reader, nodeId, inboundId, inbound);
  if (sides === null) return false;
  const { row, sent, reported, settings, hasRules } = sides;
  if (tags.length === 0 && MEMBERS.every((member) => canonicalJson(reported[member]) === canonicalJson(sent[member])))
    return true;
  if (hasRules) {
    const own = parseJsonObject(row.settings)?.['fallbacks'];
    if (own === undefined) delete settings['fallbacks'];
    else settings['fallbacks'] = own;
  }
  const facts = inboundFacts(reported, MEMBERS);
  const isCurrent = async (trx: WriteTransaction): Promise<boolean> => {
    if (!isRequested && !(await isInboundAgreed(trx, inboundId))) return false;
    await noteInboundApplied(trx, nodeId, inboundId, facts);
    return true;
  };
  await adoption.follow(inboundId, reported, { isCurrent, tags });
  return true;
}

/** An inbound as sent and as reported, both with the fallbacks defined here. */
export async function inboundSides(db: Store['reader'], nodeId: number, inboundId: number, inbound: ReportedInbound) {
  const row = await inboundRow(db, inboundId);
  if (row === undefined) return null;
  const fallbacks = await fallbackSources(db, inboundId);
  const sent = wireInbound(row, nodeId, { entries: null, fallbacks });
  const settings: JsonObject = { ...settingsOf(inbound) };
  const hasRules = fallbacks.length > 0;
  // The node gets rules as addresses; the rules themselves stay here.
  if (hasRules) settings['fallbacks'] = (sent['settings'] as JsonObject)['fallbacks'] ?? [];
  const reported: JsonObject = { ...inbound.reported, settings };
  return { row, sent, reported, settings, hasRules };
}
