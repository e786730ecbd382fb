import type { HistoryPoint } from '#contract/metrics';
import type { Node } from '#contract/nodes';
import type { PanelCard, PanelMatter, PanelState } from '../../../../src-main/bridge/panels.ts';
import { stateOf, urlOf } from '../../nodes/node-state.ts';
import { lastErrorWords, syncWords } from '../../nodes/node-refusal-words.ts';
import type { ShownPanel } from '../panels/panel-model.ts';

const MINUTES = 60;
const STATES: Record<ReturnType<typeof stateOf>, PanelState> = {
  disabled: 'stopped',
  unknown: 'waiting',
  offline: 'down',
  misplaced: 'wrong',
  coreError: 'ok',
  coreStopped: 'ok',
  online: 'ok',
};

/** A node of this panel as a card of the page of all panels. @param line see {@link lineFrom} */
export function cardOfNode(node: Node, line: PanelCard['line']): ShownPanel {
  const { id, guid, name, status } = node;
  const state = STATES[stateOf(node)];
  const isKnown = status !== 'unknown';
  const card: PanelCard = {
    id: id === 0 ? guid : String(id),
    state,
    detail: state === 'ok' || state === 'stopped' ? '' : lastErrorWords(node),
    sinceMs: 0,
    // Probes that failed read nothing.
    readAtMs: state === 'ok' ? node.lastHeartbeat * 1000 : 0,
    latencyMs: node.latencyMs,
    machine: isKnown
      ? {
          cpuPct: node.cpuPct,
          memPct: node.memPct,
          diskPct: null,
          upPerSec: node.netUp,
          downPerSec: node.netDown,
          uptimeSec: node.uptimeSecs,
          panelVersion: node.panelVersion,
          coreVersion: node.coreVersion,
          coreState: isCoreState(node.coreState) ? node.coreState : '',
          coreError: node.coreError,
          coreRestarts: null,
        }
      : null,
    clients: {
      total: node.clientCount,
      online: node.onlineCount,
      depleted: node.depletedCount,
      expiring: null,
      disabled: node.disabledCount,
    },
    inbounds: { total: node.inboundCount, on: node.inboundCount },
    nodes: null,
    certificateEndsAtMs: null,
    backupAtMs: null,
    matters: mattersOf(node),
    line,
  };
  return { card, name, color: node.transitive === true ? 'gray' : 'blue', address: urlOf(node), group: '' };
}

const isCoreState = (state: string): state is 'running' | 'stop' | 'error' =>
  ['running', 'stop', 'error'].includes(state);

function mattersOf(node: Node): PanelMatter[] {
  const { name, coreError, plans } = node;
  const refused = syncWords(node).join('; ');
  const state = stateOf(node);
  return [
    ...(state === 'coreError' ? [{ kind: 'coreError' as const, name: '', value: 0, words: coreError }] : []),
    ...(state === 'coreStopped' ? [{ kind: 'coreStopped' as const, name: '', value: 0, words: '' }] : []),
    ...(refused === '' ? [] : [{ kind: 'refusedChange' as const, name: '', value: 0, words: refused }]),
    ...plans.map(() => ({ kind: 'nodePlan' as const, name, value: 1, words: '' })),
  ];
}

/** Sum of both directions over the last hour, by minute. */
export function lineFrom(up: readonly HistoryPoint[], down: readonly HistoryPoint[], nowMs: number): (number | null)[] {
  const line = Array.from<number | null>({ length: MINUTES }).fill(null);
  const nowMin = Math.floor(nowMs / 60_000);
  for (const { t, v } of [...up, ...down]) {
    const at = MINUTES - 1 - (nowMin - Math.floor(t / 60));
    if (at >= 0 && at < MINUTES) line[at] = (line[at] ?? 0) + v;
  }
  return line;
}
