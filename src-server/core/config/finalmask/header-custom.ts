import type { Json } from '../source.ts';
import { isBlank, isJsonObject, without } from '../json-access.ts';
import { standardBase64Bytes } from '../encoded-keys.ts';
import { refuse, type Report } from '../rules/finding.ts';
import { integer, intRange, listOfEach, oneOf, rangeOf, shape, text, type FieldRule } from '../rules/field-rules.ts';

/** Bytes of a packet: a list of numbers, or a text in the encoding that `type` names. */
export function checkPacket(packet: Json, type: string, where: string, report: Report): void {
  if (Array.isArray(packet)) listOfEach(integer(0, 255))(packet, where, report);
  else if (typeof packet !== 'string') refuse(report, where, 'config.bytesOrText');
  else if (type === 'hex' && !/^(?:[0-9a-f]{2})*$/i.test(packet)) refuse(report, where, 'config.hex');
  else if (type !== 'str' && type !== 'hex' && standardBase64Bytes(packet) === null) {
    refuse(report, where, 'config.bytesOrBase64');
  }
}

const byteRange: FieldRule = (value, where, report) => {
  const range = rangeOf(value);
  if (range === null || range.from < 0 || range.to > 255)
    refuse(report, where, 'config.rangeWithin', { range: '0-255' });
};

const item: FieldRule = shape(
  {
    delay: intRange,
    rand: intRange,
    randRange: byteRange,
    type: oneOf('', 'array', 'str', 'hex', 'base64'),
    capture: text,
    reuse: text,
    transform: shape({ op: text }),
  },
  (value, where, report) => {
    const kinds = ['packet', 'rand', 'reuse', 'transform'].filter((kind) => isSet(value[kind]));
    const hasEmptyPacket = Array.isArray(value['packet']) && value['packet'].length === 0 && kinds.length > 0;
    if (kinds.length > 1 || hasEmptyPacket) refuse(report, where, 'config.onePacketSource');
    if (!isBlank(value['packet'])) {
      checkPacket(
        value['packet'] ?? null,
        typeof value['type'] === 'string' ? value['type'] : '',
        `${where}.packet`,
        report,
      );
    }
  },
);

function isSet(value: Json | undefined): boolean {
  return !isBlank(value) && value !== 0;
}

const sequences = listOfEach(listOfEach(item));

export const headerCustomTcp: FieldRule = shape({ clients: sequences, servers: sequences, errors: sequences });

export const headerCustomUdp: FieldRule = shape({
  mode: oneOf('', 'prefix', 'standalone'),
  client: listOfEach(item),
  server: listOfEach(item),
});

/** An empty packet beside `rand` is what the form leaves behind, and fatal: it is removed at any depth. */
export function withoutEmptyPackets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmptyPackets);
  if (!isJsonObject(value)) return value;
  const kept = isSet(value['rand']) && isBlank(value['packet']) ? without(value, 'packet') : value;
  return Object.fromEntries(Object.entries(kept).map(([key, member]) => [key, withoutEmptyPackets(member)]));
}
