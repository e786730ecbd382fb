import type { EventKind } from '#contract/events';

/** Groups by which the list of notifications is filtered. */
export const EVENT_GROUPS = {
  core: ['core.crash', 'cpu.high', 'outbound.down', 'outbound.up', 'update.core'],
  nodes: ['node.down', 'node.up'],
  clients: [
    'client.expiring',
    'client.quota',
    'client.depleted',
    'client.expired',
    'client.addresses',
    'traffic.quarantined',
  ],
  panel: [
    'login.attempt',
    'directory.failed',
    'directory.held',
    'directory.resumed',
    'backup.failed',
    'certificate.failed',
    'certificate.expiring',
    'update.panel',
  ],
} as const satisfies Record<string, readonly EventKind[]>;
export type EventGroup = keyof typeof EVENT_GROUPS;
