import type { Node } from '#contract/nodes';

/** How a node does, as far as this panel knows. A node whose core is down is online all the same. */
export type NodeState = 'disabled' | 'unknown' | 'offline' | 'misplaced' | 'coreError' | 'coreStopped' | 'online';

/** Where the changes made here stand; `applied` = the node has all of them, `held` = some wait for the operator's word. */
export type Delivery = 'applied' | 'queued' | 'sending' | 'held' | 'refused';

/** It answers, and has no place as a node of this panel. */
const MISPLACED = new Set([
  'node.isThisPanel',
  'node.alreadyAdded',
  'node.isAbove',
  'node.managesNode',
  'node.isBehind',
]);

/** A node that is switched off keeps its last status, which then says nothing. */
export function stateOf({
  enable,
  status,
  coreState,
  lastRefusal,
}: Pick<Node, 'enable' | 'status' | 'coreState' | 'lastRefusal'>): NodeState {
  if (!enable) return 'disabled';
  if (lastRefusal !== null && MISPLACED.has(lastRefusal.code)) return 'misplaced';
  if (status !== 'online') return status;
  if (coreState === 'error') return 'coreError';
  return coreState === 'stop' ? 'coreStopped' : 'online';
}

export function deliveryOf(
  node: Pick<Node, 'enable' | 'status' | 'coreState' | 'configDirty' | 'syncError' | 'plans'>,
): Delivery {
  if (node.syncError !== '') return 'refused';
  if (node.plans.length > 0) return 'held';
  if (!node.configDirty) return 'applied';
  return node.enable && node.status === 'online' ? 'sending' : 'queued';
}

/** Whether a released version is newer than the one a node runs. Builds without a plain version are told apart by their text. */
export function isOlder(running: string, latest: string): boolean {
  const [own, newest] = [numbersOf(running), numbersOf(latest)];
  if (running === '' || latest === '') return false;
  if (own === null || newest === null) return plain(running) !== plain(latest);
  const at = own.findIndex((part, index) => part !== newest[index]);
  return at !== -1 && own[at]! < newest[at]!;
}

const plain = (version: string): string => version.replace(/^v/, '');

function numbersOf(version: string): number[] | null {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(plain(version));
  return parts === null ? null : parts.slice(1).map(Number);
}

/** The address of a panel as people write it: `https://node.example.com:2053/base/`. */
export function urlOf({
  scheme,
  address,
  port,
  basePath,
}: Pick<Node, 'scheme' | 'address' | 'port' | 'basePath'>): string {
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}${basePath}`;
}
