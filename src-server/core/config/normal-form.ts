import { isBlank } from './json-access.ts';
import type { InboundDraft } from './inbound/inbound-draft.ts';
import { panelName, protocolOf } from './protocols/protocols.ts';
import { normaliseSniffing } from './inbound/sniffing.ts';
import { normaliseStream } from './inbound/stream-settings.ts';

/**
 * The form in which an inbound is stored: current names instead of old ones, defaults the core insists on, no leftovers
 * of another transport or security, streamSettings only where the protocol has them. Wrong values and members the panel
 * does not know stay; applying it twice changes nothing. The draft itself is not changed.
 */
export function normaliseInbound<T extends InboundDraft>(draft: T): T {
  const protocol = protocolOf(draft.protocol);
  const keepsStream = protocol?.keepsStream ?? true;
  const stream = keepsStream && draft.streamSettings !== null ? normaliseStream(draft.streamSettings) : null;
  const normalised = stream === null || isBlank(stream) ? null : stream;
  const settings = protocol?.normalise?.(draft.settings) ?? draft.settings;
  return {
    ...draft,
    protocol: panelName(draft.protocol),
    settings,
    streamSettings: protocol?.coreName === 'hysteria' ? withHysteriaVersion(normalised) : normalised,
    sniffing: normaliseSniffing(draft.sniffing),
  };
}

/** A missing version is fatal, and an import may lack the whole block. */
function withHysteriaVersion(stream: InboundDraft['streamSettings']): InboundDraft['streamSettings'] {
  if (stream === null || stream['network'] !== 'hysteria' || !isBlank(stream['hysteriaSettings'])) return stream;
  return { ...stream, hysteriaSettings: { version: 2 } };
}
