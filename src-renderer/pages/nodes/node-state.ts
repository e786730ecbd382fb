import type { Node } from '#contract/nodes';
import { hostAndPort } from '#wire/host-and-port';

/** State of a node as this panel knows it. A node whose core is down still counts as online. */
export type NodeState = 'disabled' | 'unknown' | 'offline' | 'misplaced' | 'coreError' | 'coreStopped' | 'online';

/** State of this panel's changes; `applied` = the node has all, `held` = some wait for the operator's decision. */
export type Delivery = 'applied' | 'queued' | 'sending' | 'held' | 'refused';

/** It answers, but cannot be a node of this panel. */
const MISPLACED = new Set([
  'node.isThisPanel',
  'node.alreadyAdded',
  'node.isAbove',
  'node.managesNode',
  'node.isBehind',
]);

/** A disabled node keeps its last status, which then means nothing. */
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

/** Whether a release is newer than a node's version. Builds without a plain version are compared as text. */
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

/** The address of a panel as a URL: `https://node.example.com:2053/base/`. */
export function urlOf({
  scheme,
  address,
  port,
  basePath,
}: Pick<Node, 'scheme' | 'address' | 'port' | 'basePath'>): string {
  return `${scheme}://${hostAndPort(address, port)}${basePath}`;
}
