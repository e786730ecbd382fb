import { PROTOCOLS, SECURITIES } from '../../../contract/protocol-catalogue.ts';
import type { ValidationIssue } from '../../../contract/envelope.ts';
import type { JsonObject } from '../source.ts';
import { isListenAddress, isSocketPath, isUsableSocket } from './listen-address.ts';
import type { InboundDraft } from './inbound-draft.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { protocolOf } from '../protocols/protocols.ts';
import { integer } from '../rules/field-rules.ts';
import { issueOf, refuse, refuseSilent, silently, type Finding, type Report } from '../rules/finding.ts';
import { checkStream } from '../rules/stream-rules.ts';
import { sniffingRules } from './sniffing.ts';
import { securityOf } from './stream-settings.ts';
import { networkName, transportOf } from '../transports/transports.ts';

export type { InboundDraft } from './inbound-draft.ts';
export { normaliseInbound } from '../normal-form.ts';
export { certificatePairsOf, type CertificatePair } from '../certificate-pairs.ts';
export {
  canHostFallbacks,
  clientFieldOf,
  credentialKeyBytes,
  gatedFlow,
  isFlowCapable,
  speaksQuic,
  supportsClients,
  transportsOf,
} from './inbound-traits.ts';

const port1to65535 = integer(1, 65_535);

/**
 * Every problem of an inbound that shows without running the core: what it refuses, what panics or ends it, and what it
 * accepts without effect. Clients in `settings` are ignored. Empty = ready to be saved.
 */
export function checkInbound(draft: InboundDraft): ValidationIssue[] {
  return inboundFindings(draft).map(issueOf);
}

/** Like {@link checkInbound}, but separates what would stop the core from what it accepts silently. */
export function inboundFindings(draft: InboundDraft): Finding[] {
  const findings: Finding[] = [];
  const report: Report = (finding) => findings.push(finding);
  const protocol = protocolOf(draft.protocol);
  if (protocol?.coreName !== 'tun') checkPlace(draft, report);
  if (protocol === null) {
    const names = PROTOCOLS.join(', ');
    refuse(report, 'protocol', 'config.oneOf', { names });
    return findings;
  }
  protocol.rules(draft.settings, 'settings', report);
  if (protocol.keepsStream) {
    if (draft.streamSettings !== null) checkStream(draft.streamSettings, report);
    checkCombination(protocol, draft.listen, draft.streamSettings, report);
  }
  const { listen, settings, streamSettings } = draft;
  protocol.check?.({ tag: '', listen, settings, stream: streamSettings }, report);
  if (draft.sniffing !== null) sniffingRules(draft.sniffing, 'sniffing', report);
  return findings;
}

/**
 * The core silently accepts port 0 and 70000 and listens nowhere, or on 4464. On a socket the port is only a
 * placeholder that never reaches the core.
 */
function checkPlace({ listen, port }: InboundDraft, report: Report): void {
  port1to65535(port, 'port', isSocketPath(listen) ? silently(report) : report);
  if (!isListenAddress(listen)) refuse(report, 'listen', 'config.listen');
  else if (isSocketPath(listen) && !isUsableSocket(listen)) refuse(report, 'listen', 'config.listenSocket');
}

function checkCombination(protocol: Protocol, listen: string, stream: JsonObject | null, report: Report): void {
  const transport = transportOf(stream)?.name;
  const security = securityOf(stream);
  if (protocol.securities.length === 0) {
    if (networkName(stream) !== '' && transport !== 'tcp')
      refuseSilent(report, 'streamSettings.network', 'config.noEffect', { protocol: protocol.coreName });
    if (security !== 'none')
      refuseSilent(report, 'streamSettings.security', 'config.noEffect', { protocol: protocol.coreName });
    return;
  }
  const isKnown = SECURITIES.some((name) => name === security);
  if (isKnown && !protocol.securities.includes(security) && protocol.coreName !== 'hysteria') {
    const accepted = protocol.securities.join(', ');
    refuseSilent(report, 'streamSettings.security', 'config.oneOfFor', {
      names: accepted,
      protocol: protocol.coreName,
    });
  }
  if (transport === 'hysteria' && protocol.coreName !== 'hysteria')
    refuseSilent(report, 'streamSettings.network', 'config.hysteriaOnly');
  if (isSocketPath(listen) && transport === 'kcp') refuse(report, 'listen', 'config.kcpSocket');
  if (isSocketPath(listen) && transport === 'hysteria') refuseSilent(report, 'listen', 'config.hysteriaSocket');
}
