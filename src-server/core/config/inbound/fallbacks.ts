import type { FallbackSource, Json, JsonObject, LeftOut } from '../source.ts';
import { isBlank, isJsonObject, listOf, textOf, without } from '../json-access.ts';
import { hostAndPort, isAnyAddress, isSocketPath, socketOf } from './listen-address.ts';
import { canHostFallbacks } from './inbound-traits.ts';
import { integer, listOfEach, shape, text, type FieldRule } from '../rules/field-rules.ts';
import { refuse } from '../rules/finding.ts';
import type { InboundView } from '../protocols/protocol.ts';

const path: FieldRule = (value, where, report) => {
  text(value, where, report);
  if (typeof value === 'string' && value !== '' && !value.startsWith('/')) refuse(report, where, 'config.fallbackPath');
};

/** Rules of one emitted or hand-written row; `dest` is required, everything else has a default. */
const fallbackRow: FieldRule = shape(
  { name: text, alpn: text, path, type: text, xver: integer(0, 2) },
  (value, where, report) => {
    if (!isDestination(value['dest'])) refuse(report, `${where}.dest`, 'config.fallbackDest');
  },
);

export const fallbackRows: FieldRule = listOfEach(fallbackRow);

function isDestination(dest: Json | undefined): boolean {
  if (typeof dest === 'number') return Number.isInteger(dest) && dest >= 0 && dest <= 65_535;
  const place = textOf(dest);
  if (place === 'serve-ws-none' || isSocketPath(place)) return true;
  const port = /^\d+$/.test(place) ? place : (hostAndPort(place)?.port ?? '');
  return /^\d{1,5}$/.test(port) && Number(port) <= 65_535;
}

/**
 * The settings with the fallbacks that the core gets: the master's rows if it has any, else the hand-written ones; none
 * at all together with vless encryption, where even an empty list is fatal.
 */
export function withFallbacks(
  inbound: InboundView,
  protocol: string,
  rows: readonly FallbackSource[],
): { settings: JsonObject; leftOut: LeftOut[] } {
  const settings = without(inbound.settings, 'fallbacks');
  const isHost = canHostFallbacks(protocol, inbound.settings, inbound.stream);
  const byHand = listOf(inbound.settings['fallbacks']).filter(isJsonObject);
  if (!isHost && rows.length > 0) {
    return {
      settings,
      leftOut: [
        leftOutOf(
          inbound.tag,
          'this inbound cannot host fallbacks (needs tcp with tls or reality, and no encryption).',
        ),
      ],
    };
  }
  if (isEncrypted(inbound.settings)) {
    const reason = 'fallbacks cannot be combined with vless encryption; remove one of the two.';
    return { settings, leftOut: byHand.length > 0 ? [leftOutOf(inbound.tag, reason)] : [] };
  }
  const leftOut: LeftOut[] = [];
  const wanted = rows.length > 0 ? rows.flatMap((row) => rowOf(row, inbound.tag, leftOut)) : byHand;
  const emitted = wanted.filter((row) => {
    const problems: string[] = [];
    fallbackRow(row, 'fallback', (finding) => problems.push(finding.message));
    if (problems.length > 0) leftOut.push(leftOutOf(inbound.tag, problems.join(' ')));
    return problems.length === 0;
  });
  return { settings: emitted.length === 0 ? settings : { ...settings, fallbacks: emitted }, leftOut };
}

function rowOf(row: FallbackSource, tag: string, leftOut: LeftOut[]): JsonObject[] {
  const dest = row.dest.trim() || (row.child === null ? '' : childAddress(row.child));
  if (dest === '') {
    leftOut.push(leftOutOf(tag, 'its inbound no longer exists; choose another or set a destination.'));
    return [];
  }
  const emitted: JsonObject = { dest };
  if (row.name !== '') emitted['name'] = row.name;
  if (row.alpn !== '') emitted['alpn'] = row.alpn;
  if (row.path !== '') emitted['path'] = row.path;
  if (row.xver !== 0) emitted['xver'] = row.xver;
  return [emitted];
}

/** Where the core reaches a child: its socket path without the mode, or its port on the address it listens on. */
function childAddress(child: { listen: string; port: number }): string {
  const listen = child.listen.trim();
  if (isSocketPath(listen)) return socketOf(listen);
  if (isAnyAddress(listen)) return `127.0.0.1:${child.port}`;
  return listen.includes(':') && !listen.startsWith('[') ? `[${listen}]:${child.port}` : `${listen}:${child.port}`;
}

function isEncrypted(settings: JsonObject): boolean {
  return !isBlank(settings['decryption']) && settings['decryption'] !== 'none';
}

function leftOutOf(tag: string, reason: string): LeftOut {
  return { kind: 'fallback', name: tag, reason: `Fallback of ${tag} left out: ${reason}` };
}
