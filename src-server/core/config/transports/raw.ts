import type { JsonObject } from '../source.ts';
import { isBlank, isJsonObject, textOf, without } from '../json-access.ts';
import { refuse } from '../rules/finding.ts';
import { flag, shape, text, textListOrText, type FieldRule } from '../rules/field-rules.ts';
import type { Transport } from './transport.ts';

/** Name to one text or a list of texts. */
const headers: FieldRule = (value, where, report) => {
  if (!isJsonObject(value)) refuse(report, where, 'config.object');
  else for (const [name, item] of Object.entries(value)) textListOrText()(item, `${where}.${name}`, report);
};

const header = shape(
  {
    request: shape({ version: text, method: text, path: textListOrText(), headers }),
    response: shape({ version: text, status: text, reason: text, headers }),
  },
  (value, where, report) => {
    if (!['none', 'http'].includes(textOf(value['type']).toLowerCase()))
      refuse(report, `${where}.type`, 'config.rawHeader');
  },
);

export const raw: Transport = {
  name: 'tcp',
  aliases: ['raw'],
  blocks: ['tcpSettings', 'rawSettings'],
  winner: 'rawSettings',
  carriesReality: true,
  rules: shape({ acceptProxyProtocol: flag, header }, (value, where, report) => {
    if (value['header'] === null) refuse(report, `${where}.header`, 'config.rawHeaderNull');
  }),
  normalise: normaliseHeader,
};

/**
 * `header: {}` and `header: null` are fatal; both are what an editor leaves behind when nothing was chosen. The core
 * reads the type in any letter case.
 */
function normaliseHeader(settings: JsonObject): JsonObject {
  const { header: stored } = settings;
  if (isBlank(stored)) return without(settings, 'header');
  if (!isJsonObject(stored) || textOf(stored['type']) === '') return settings;
  return { ...settings, header: { ...stored, type: textOf(stored['type']).toLowerCase() } };
}
