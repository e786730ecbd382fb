import type { JsonObject, LeftOut } from '../source.ts';
import { isBlank, isJsonObject, listOf, objectOf, textOf, without, withoutBlank } from '../json-access.ts';
import { normaliseFinalmask, survivableFinalmask } from '../finalmask/finalmask.ts';
import { withConfinedKeyLogs } from '../security/key-log.ts';
import { normaliseReality, serverReality } from '../security/reality.ts';
import { normaliseTls, serverTls } from '../security/tls.ts';
import type { Transport } from '../transports/transport.ts';
import { blockOf, networkName, TRANSPORT_BLOCKS, transportOf } from '../transports/transports.ts';

/** Names of mKCP headers that changed when they became masks. */
const LEGACY_HEADERS: ReadonlyMap<string, string> = new Map([['wechat-video', 'wechat']]);

/** An empty text counts as none. */
export function securityOf(stream: JsonObject | null): string {
  const security = textOf(stream?.['security']).toLowerCase();
  return security === '' ? 'none' : security;
}

/**
 * The stored form: `network` in the panel's spelling (`method` wins and goes away), `security` in lower case, one
 * transport block under the panel's name, the block of the active security only, mKCP's removed header and seed as
 * masks, no empty leftovers. Members the panel does not know stay.
 */
export function normaliseStream(stream: JsonObject): JsonObject {
  return normaliseFinalmask(withTransport(withSecurity(withoutBlank(stream, 'sockopt', 'security'))));
}

function withSecurity(stream: JsonObject): JsonObject {
  const security = securityOf(stream);
  let result = textOf(stream['security']) === '' ? stream : { ...stream, security };
  if (security !== 'tls') result = without(result, 'tlsSettings');
  else if (isJsonObject(result['tlsSettings'])) {
    result = { ...result, tlsSettings: normaliseTls(result['tlsSettings']) };
  }
  if (security !== 'reality') result = without(result, 'realitySettings');
  else if (isJsonObject(result['realitySettings'])) {
    result = { ...result, realitySettings: normaliseReality(result['realitySettings']) };
  }
  return result;
}

function withTransport(stream: JsonObject): JsonObject {
  const transport = transportOf(stream);
  if (transport === null) return without({ ...stream, network: networkName(stream) }, 'method');
  const block = blockOf(stream, transport);
  let rest = without(stream, 'method', ...TRANSPORT_BLOCKS);
  if ('network' in rest || networkName(stream) !== '') {
    rest = networkName(stream) === '' ? without(rest, 'network') : { ...rest, network: transport.name };
  }
  if (block === null) return rest;
  if (transport.name === 'kcp' && isJsonObject(block.value)) rest = withLegacyMasks(rest, block.value);
  return { ...rest, [transport.blocks[0] ?? block.name]: normalisedBlock(transport, block.value) };
}

function normalisedBlock(transport: Transport, block: JsonObject[string]): JsonObject[string] {
  return isJsonObject(block) && transport.normalise !== undefined ? transport.normalise(block) : block;
}

/** The core moved mKCP's `header` and `seed` into masks of type mkcp-legacy: the header first, then the password. */
function withLegacyMasks(stream: JsonObject, kcpSettings: JsonObject): JsonObject {
  const header = objectOf(kcpSettings['header']);
  const masks: JsonObject[] = [];
  const type = LEGACY_HEADERS.get(textOf(header['type'])) ?? textOf(header['type']);
  if (type !== '' && type !== 'none') {
    const domain = textOf(header['domain']);
    masks.push({ type: 'mkcp-legacy', settings: domain === '' ? { header: type } : { header: type, value: domain } });
  }
  const seed = textOf(kcpSettings['seed']);
  if (seed !== '') masks.push({ type: 'mkcp-legacy', settings: { value: seed } });
  if (masks.length === 0) return stream;
  const finalmask = objectOf(stream['finalmask']);
  return { ...stream, finalmask: { ...finalmask, udp: [...masks, ...listOf(finalmask['udp'])] } };
}

/** A stored stream as it may be given to the core: like the stored form, minus what would stop or kill the core. */
export function survivableStream(stream: JsonObject, tag: string, leftOut: LeftOut[]): JsonObject {
  const healed = survivableFinalmask(stream, tag, leftOut);
  const tls = healed['tlsSettings'];
  return isJsonObject(tls) ? { ...healed, tlsSettings: serverTls(tls) } : healed;
}

/** What the core gets: panel-only and client-only members removed, key logs confined. Undefined when nothing is left. */
export function emittedStream(stream: JsonObject): JsonObject | undefined {
  let emitted = withoutBlank(without(stream, 'externalProxy'), 'network', 'security');
  const transport = transportOf(stream);
  const blockName = transport?.blocks[0] ?? '';
  const block = emitted[blockName];
  if (transport?.emit !== undefined && isJsonObject(block))
    emitted = { ...emitted, [blockName]: transport.emit(block) };
  const reality = emitted['realitySettings'];
  if (isJsonObject(reality)) emitted = { ...emitted, realitySettings: serverReality(reality) };
  return isBlank(emitted) ? undefined : withConfinedKeyLogs(emitted);
}
