import type { NodeVersions } from '#contract/nodes/rollout';

/** Whether anything can be exchanged on a node now. */
export const isReady = ({ enable, status }: Pick<NodeVersions, 'enable' | 'status'>): boolean =>
  enable && status === 'online';
