import type { JsonObject } from '../contract/json.ts';
import { isEmptyValue, isObject, objectOf, scalarText } from './json-values.ts';

const OBFS_KEYS = ['xPaddingKey', 'xPaddingHeader', 'xPaddingPlacement', 'xPaddingMethod'] as const;
const TEXT_KEYS = [
  'uplinkHTTPMethod',
  'sessionIDPlacement',
  'sessionIDKey',
  'sessionIDTable',
  'sessionIDLength',
  'seqPlacement',
  'seqKey',
  'uplinkDataPlacement',
  'uplinkDataKey',
] as const;
/** Values of the core itself: saying them changes nothing, and a literal 30 gives the connection away. */
export const CORE_DEFAULTS: Readonly<Record<string, string>> = {
  scMaxEachPostBytes: '1000000',
  scMinPostsIntervalMs: '30',
};
/** Of use to the server alone. */
export const SERVER_ONLY = ['noSSEHeader', 'scMaxBufferedPosts', 'scStreamUpServerSecs', 'serverMaxHeaderBytes'];

/** Stored settings with the session keys under their present names. */
export function liftLegacy(settings: JsonObject): JsonObject {
  const { sessionPlacement, sessionKey, ...rest } = settings;
  return {
    ...rest,
    ...(isEmptyValue(rest['sessionIDPlacement']) && sessionPlacement !== undefined
      ? { sessionIDPlacement: sessionPlacement }
      : {}),
    ...(isEmptyValue(rest['sessionIDKey']) && sessionKey !== undefined ? { sessionIDKey: sessionKey } : {}),
  };
}

/** Headers without any `host`: that has a parameter of its own. */
export function headersWithoutHost(settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(settings['headers'])).filter(([name]) => name.toLowerCase() !== 'host'),
  );
}

/** What a client has to know beyond path, host and mode; the `extra` parameter of links. */
export function xhttpExtra(stored: JsonObject): JsonObject {
  const settings = liftLegacy(stored);
  const extra: JsonObject = {};
  const keep = (key: string): void => {
    const value = settings[key];
    if (value !== undefined && !isEmptyValue(value)) extra[key] = value;
  };
  keep('mode');
  keep('xPaddingBytes');
  if (settings['xPaddingObfsMode'] === true) {
    extra['xPaddingObfsMode'] = true;
    for (const key of OBFS_KEYS) keep(key);
  }
  for (const key of TEXT_KEYS) keep(key);
  for (const [key, value] of Object.entries(CORE_DEFAULTS)) if (scalarText(settings[key]) !== value) keep(key);
  // Apps in use read the older names.
  if (extra['sessionIDPlacement'] !== undefined) extra['sessionPlacement'] = extra['sessionIDPlacement'];
  if (extra['sessionIDKey'] !== undefined) extra['sessionKey'] = extra['sessionIDKey'];
  if (settings['uplinkChunkSize'] !== 0) keep('uplinkChunkSize');
  if (settings['noGRPCHeader'] === true) extra['noGRPCHeader'] = true;
  for (const key of ['xmux', 'downloadSettings']) if (isObject(settings[key])) keep(key);
  const headers = headersWithoutHost(settings);
  if (Object.keys(headers).length > 0) extra['headers'] = headers;
  return extra;
}
