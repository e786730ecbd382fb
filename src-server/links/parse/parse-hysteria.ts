import type { Json, JsonObject } from '../../contract/json.ts';
import type { ParsedOutbound } from './parsed-outbound.ts';
import { decoded, type LinkParts } from './parsed-url.ts';
import { parseMasks } from './quic-params.ts';
import { hexPins, tlsOf, type Given } from './stream.ts';

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** Outbound of a Hysteria 2 link, or why it has none. Its port may be a list to hop over: `443,20000-50000`. */
export function parseHysteria(parts: LinkParts, given: Given): ParsedOutbound | string {
  const { userInfo, host, portText, name } = parts;
  const isList = /[,-]/.test(portText);
  const ports = given('mport') || (isList ? portText : '');
  // The core refuses a whole config for one of them.
  if ((isList && !isPortList(portText)) || (ports !== '' && !isPortList(ports))) return 'bad hysteria2 ports';
  const port = isList ? Number.parseInt(portText, 10) : parts.port;
  const masks = hopping(obfuscated(parseMasks(given('fm')) ?? {}, given), ports);
  return {
    protocol: 'hysteria',
    tag: name,
    settings: { address: host, port: port || 443, version: 2 },
    streamSettings: {
      network: 'hysteria',
      security: 'tls',
      hysteriaSettings: { version: 2, auth: decoded(userInfo), udpIdleTimeout: 60 },
      tlsSettings: { ...tlsOf(given, ['h3']), pinnedPeerCertSha256: hexPins(given('pinSHA256')) },
      ...(Object.keys(masks).length === 0 ? {} : { finalmask: masks }),
    },
  };
}

/** A mask with its own password wins; one without is completed; if there is none, one is added. */
function obfuscated(masks: JsonObject, given: Given): JsonObject {
  const password = given('obfs-password') || given('obfs_password') || given('obfsPassword');
  if (given('obfs').toLowerCase() !== 'salamander' || password === '') return masks;
  const udp = Array.isArray(masks['udp']) ? masks['udp'] : [];
  const at = udp.findIndex((mask) => objectOf(mask)['type'] === 'salamander');
  const stored = objectOf(objectOf(udp[at])['settings']);
  if (typeof stored['password'] === 'string' && stored['password'] !== '') return masks;
  const mask = { type: 'salamander', settings: { ...stored, password } };
  return { ...masks, udp: at < 0 ? [...udp, mask] : udp.with(at, mask) };
}

function isPortList(text: string): boolean {
  return text.split(',').every((part) => {
    const [, from, to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? [];
    return from !== undefined && Number(from) > 0 && Number(from) <= Number(to) && Number(to) <= 65_535;
  });
}

function hopping(masks: JsonObject, ports: string): JsonObject {
  const quic = objectOf(masks['quicParams']);
  if (ports === '' || objectOf(quic['udpHop'])['ports'] !== undefined) return masks;
  return { ...masks, quicParams: { ...quic, udpHop: { ports, interval: '5-10' } } };
}
