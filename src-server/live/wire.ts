import type { PanelEvent, Resource } from '../contract/events.ts';

/** A message as open pages receive it, before the hub adds `time`. */
export type WireMessage =
  | { type: 'status' | 'traffic' | 'client_stats' | 'outbounds' | 'jobs' | 'nodes'; data: unknown }
  | { type: 'coreState'; data: string; errorMsg?: string }
  | { type: 'notification'; title: string; body: string; severity: string }
  | { type: 'invalidate'; resource: Resource; requestId?: string };

type HiddenType =
  | 'loginAttempt'
  | 'coreCrash'
  | 'outboundDown'
  | 'outboundUp'
  | 'nodeDown'
  | 'nodeUp'
  | 'happened'
  | 'told';
type ShownEvent = Exclude<PanelEvent, { type: HiddenType }>;
const HIDDEN: ReadonlySet<PanelEvent['type']> = new Set<HiddenType>([
  'loginAttempt',
  'coreCrash',
  'outboundDown',
  'outboundUp',
  'nodeDown',
  'nodeUp',
  'happened',
  'told',
]);

/** Whether this event is sent to pages; the others are for the bot, e-mail and the log. */
export function isShown(event: PanelEvent): event is ShownEvent {
  return !HIDDEN.has(event.type);
}

export function toWire(event: ShownEvent): WireMessage {
  switch (event.type) {
    case 'live':
      return { type: event.message, data: event.data };
    case 'coreState':
      return event.state === 'error'
        ? { type: 'coreState', data: event.state, errorMsg: event.errorText ?? '' }
        : { type: 'coreState', data: event.state };
    default:
      return event;
  }
}

/** What pages fetch instead when a message is too large to be pushed; `status` is sent again in two seconds anyway. */
export function resourcesBehind(message: WireMessage): readonly Resource[] {
  switch (message.type) {
    case 'traffic':
      return ['inbounds', 'clients'];
    case 'client_stats':
      return ['clients'];
    case 'outbounds':
      return ['outbounds'];
    case 'nodes':
      return ['nodes'];
    default:
      return [];
  }
}
