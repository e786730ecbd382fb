import type { Node, NodeRefusal } from '#contract/nodes';
import { connectionWords, reasonWords, refusalWords } from '../../i18n/refusal-words.ts';

/** Why something failed at a node, in the chosen language; null where this page has no words for it. */
export function nodeRefusalWords({ code, params, because, issues }: NodeRefusal): string | null {
  const reason = because === undefined ? issues && reasonWords({ reason: '', issues }) : refusalWords(because);
  // Replaces what the panel there says in English.
  if (reason) return refusalWords({ code, params: { ...params, text: reason, reason } });
  const { text } = params;
  return refusalWords({ code, params: typeof text === 'string' ? { ...params, text: connectionWords(text) } : params });
}

/** Why the node cannot be reached; empty when it can. */
export function lastErrorWords({ lastRefusal, lastError }: Pick<Node, 'lastRefusal' | 'lastError'>): string {
  return (lastRefusal === null ? null : nodeRefusalWords(lastRefusal)) ?? connectionWords(lastError);
}

/** What the node refused of the last delivery, item by item. */
export function syncWords({ syncRefusals, syncError }: Pick<Node, 'syncRefusals' | 'syncError'>): string[] {
  const words = syncRefusals.map((one) => nodeRefusalWords(one) ?? one.text);
  if (words.length > 0 && words.every((each) => each !== undefined)) return words;
  return syncError === '' ? [] : [syncError];
}
