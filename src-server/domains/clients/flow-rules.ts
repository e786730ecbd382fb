import { isFlowCapable } from '../../core/config/inbound-rules.ts';
import type { InboundFacts } from './credential-rules.ts';

/** The flow a client gets on an inbound: what it asks for where that can work, nothing elsewhere. */
export function gatedFlow(flow: string, inbound: Omit<InboundFacts, 'id'>): string {
  return isFlowCapable(inbound.protocol, inbound.settings, inbound.streamSettings) ? flow : '';
}

/** The flow to show and to hand on: that of the first attachment that has one; the record's while nothing is attached. */
export function effectiveFlow(recordFlow: string, links: readonly { flowOverride: string }[]): string {
  return links.length === 0 ? recordFlow : (links.find((link) => link.flowOverride !== '')?.flowOverride ?? '');
}
