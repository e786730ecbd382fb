import type { JsonObject } from '../contract/json.ts';
import { asObject, asText } from './encoding.ts';
import { withoutHost } from './http-headers.ts';

const TEXTS = [
  'uplinkHTTPMethod',
  'sessionIDPlacement',
  'sessionIDKey',
  'sessionIDTable',
  'sessionIDLength',
  'seqPlacement',
  'seqKey',
  'uplinkDataPlacement',
  'uplinkDataKey',
];
const PADDING = ['xPaddingKey', 'xPaddingHeader', 'xPaddingPlacement', 'xPaddingMethod'];
/** If written out, the core's own defaults would make its traffic recognisable. */
const DEFAULTS: Readonly<Record<string, string>> = { scMaxEachPostBytes: '1000000', scMinPostsIntervalMs: '30' };
const SERVER_ONLY = ['noSSEHeader', 'scMaxBufferedPosts', 'scStreamUpServerSecs', 'serverMaxHeaderBytes'];

/** The core takes everything but host, path and mode from `extra`, if there is one. */
function inForce(stored: JsonObject): JsonObject {
  const { extra } = stored;
  return typeof extra === 'object' && extra !== null && !Array.isArray(extra) ? extra : stored;
}

/** Stored settings with the former names of the session options replaced by the current ones. */
function lifted(settings: JsonObject): JsonObject {
  const { sessionPlacement, sessionKey, ...rest } = settings;
  return {
    ...rest,
    ...(asText(sessionPlacement) !== '' &&
      asText(rest['sessionIDPlacement']) === '' && { sessionIDPlacement: sessionPlacement! }),
    ...(asText(sessionKey) !== '' && asText(rest['sessionIDKey']) === '' && { sessionIDKey: sessionKey! }),
  };
}

/** What a client must know of XHTTP beyond path, host and mode; only what is set. */
export function xhttpExtraOptions(stored: JsonObject): JsonObject {
  const settings = lifted(inForce(stored));
  const options: JsonObject = {};
  const take = (key: string) => {
    if (asText(settings[key]) !== '') options[key] = settings[key]!;
  };
  take('xPaddingBytes');
  if (settings['xPaddingObfsMode'] === true) {
    options['xPaddingObfsMode'] = true;
    PADDING.forEach(take);
  }
  TEXTS.forEach(take);
  for (const [key, ordinary] of Object.entries(DEFAULTS)) if (asText(settings[key]) !== ordinary) take(key);
  if (settings['uplinkChunkSize'] !== 0) take('uplinkChunkSize');
  if (settings['noGRPCHeader'] === true) options['noGRPCHeader'] = true;
  for (const key of ['xmux', 'downloadSettings']) {
    const inner = asObject(settings[key]);
    if (Object.keys(inner).length > 0) options[key] = inner;
  }
  const headers = withoutHost(asObject(settings['headers']));
  if (Object.keys(headers).length > 0) options['headers'] = headers;
  return options;
}

/** The `extra` object of a link; session options under both names, for older apps. */
export function xhttpExtra(settings: JsonObject): JsonObject {
  const extra = xhttpExtraOptions(settings);
  const mode = asText(settings['mode']);
  return {
    ...extra,
    ...(mode !== '' && { mode }),
    ...('sessionIDPlacement' in extra && { sessionPlacement: extra['sessionIDPlacement'] }),
    ...('sessionIDKey' in extra && { sessionKey: extra['sessionIDKey'] }),
  };
}

/** Stored settings in the form for a client's core. */
export function xhttpClientSettings(settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(lifted(settings)).filter(
      ([key, value]) => !SERVER_ONLY.includes(key) && (DEFAULTS[key] === undefined || DEFAULTS[key] !== asText(value)),
    ),
  );
}
