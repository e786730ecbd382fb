import { SECURITIES } from '../../../contract/protocol-catalogue.ts';
import type { JsonObject } from '../source.ts';
import { isJsonObject, textOf } from '../json-access.ts';
import { checkFinalmaskWithReality, finalmaskRules } from '../finalmask/finalmask.ts';
import { realityRules } from '../security/reality.ts';
import { tlsRules } from '../security/tls.ts';
import { sockopt } from '../inbound/sockopt.ts';
import { securityOf } from '../inbound/stream-settings.ts';
import { networkName, TRANSPORTS, transportOf } from '../transports/transports.ts';
import { shape } from './field-rules.ts';
import { refuse, type Report } from './finding.ts';

const WHERE = 'streamSettings';
const REMOVED_NETWORKS = ['h2', 'h3', 'http', 'quic'];

/** The core decodes every block it finds, also those of other transports: a leftover with a bad value is fatal. */
const blocks = shape(
  Object.fromEntries(
    Object.values(TRANSPORTS).flatMap((transport) => transport.blocks.map((name) => [name, transport.rules] as const)),
  ),
);
const others = shape({ sockopt, finalmask: finalmaskRules });

/** Everything about a stream that does not depend on the protocol. */
export function checkStream(stream: JsonObject, report: Report): void {
  checkNetwork(stream, report);
  blocks(stream, WHERE, report);
  others(stream, WHERE, report);
  checkSecurity(stream, report);
  checkFinalmaskWithReality(stream, WHERE, report);
}

function checkNetwork(stream: JsonObject, report: Report): void {
  const key = textOf(stream['method']) === '' ? 'network' : 'method';
  const name = networkName(stream);
  const names = Object.keys(TRANSPORTS).join(', ');
  if (REMOVED_NETWORKS.includes(name.toLowerCase()))
    refuse(report, `${WHERE}.${key}`, 'config.networkRemoved', { names });
  else if (transportOf(stream) === null || stream[key] === '')
    refuse(report, `${WHERE}.${key}`, 'config.oneOf', { names: names });
}

function checkSecurity(stream: JsonObject, report: Report): void {
  const security = securityOf(stream);
  if (!SECURITIES.some((name) => name === security)) {
    const accepted = SECURITIES.join(', ');
    refuse(report, `${WHERE}.security`, 'config.oneOf', { names: accepted });
    return;
  }
  if (security === 'tls') tlsRules(stream['tlsSettings'] ?? {}, `${WHERE}.tlsSettings`, report);
  if (security !== 'reality') return;
  if (transportOf(stream)?.carriesReality === false) refuse(report, `${WHERE}.security`, 'config.realityTransport');
  const settings = stream['realitySettings'];
  if (isJsonObject(settings)) realityRules(settings, `${WHERE}.realitySettings`, report);
  else refuse(report, `${WHERE}.realitySettings`, 'config.realityMissing');
}
