import type { JsonObject } from '../../contract/json.ts';
import { rangeOf } from '../../core/config/rules/field-rules.ts';
import { asObject, asText } from '../encoding.ts';
import { xhttpExtraOptions } from '../xhttp.ts';

const TEXT_NAMES: Readonly<Record<string, string>> = {
  uplinkHTTPMethod: 'uplink-http-method',
  sessionIDPlacement: 'session-placement',
  sessionIDKey: 'session-key',
  sessionIDTable: 'session-table',
  seqPlacement: 'seq-placement',
  seqKey: 'seq-key',
  uplinkDataPlacement: 'uplink-data-placement',
  uplinkDataKey: 'uplink-data-key',
  noGRPCHeader: 'no-grpc-header',
  xPaddingObfsMode: 'x-padding-obfs-mode',
  xPaddingKey: 'x-padding-key',
  xPaddingHeader: 'x-padding-header',
  xPaddingPlacement: 'x-padding-placement',
  xPaddingMethod: 'x-padding-method',
};
const RANGE_NAMES: Readonly<Record<string, string>> = {
  xPaddingBytes: 'x-padding-bytes',
  sessionIDLength: 'session-length',
  uplinkChunkSize: 'uplink-chunk-size',
  scMaxEachPostBytes: 'sc-max-each-post-bytes',
  scMinPostsIntervalMs: 'sc-min-posts-interval-ms',
};
const REUSE_NAMES: Readonly<Record<string, string>> = {
  maxConcurrency: 'max-concurrency',
  maxConnections: 'max-connections',
  cMaxReuseTimes: 'c-max-reuse-times',
  hMaxRequestTimes: 'h-max-request-times',
  hMaxReusableSecs: 'h-max-reusable-secs',
};
/** The core's own, which apps do not have. */
const PADDING_DEFAULTS: JsonObject = {
  xPaddingKey: 'x_padding',
  xPaddingHeader: 'X-Padding',
  xPaddingPlacement: 'queryInHeader',
  xPaddingMethod: 'repeat-x',
};
const DATA_KEYS: Readonly<Record<string, string>> = { cookie: 'x_data', header: 'X-Data' };

/** Options of an XHTTP transport for apps that read YAML. */
export function xhttpOptions(settings: JsonObject, host: string): JsonObject {
  const options = withDefaults(xhttpExtraOptions(settings));
  const [path = ''] = asText(settings['path']).split('?');
  const mode = asText(settings['mode']);
  const headers = textsIn(asObject(options['headers']));
  const reuse = reuseSettings(asObject(options['xmux']));
  return {
    ...(path !== '' && { path }),
    ...(mode !== '' && { mode }),
    ...(host !== '' && { host }),
    ...renamed(options, TEXT_NAMES),
    ...ranges(options, RANGE_NAMES),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(reuse).length > 0 && { 'reuse-settings': reuse }),
  };
}

function withDefaults(options: JsonObject): JsonObject {
  const dataKey = DATA_KEYS[asText(options['uplinkDataPlacement'])];
  return {
    ...(options['xPaddingObfsMode'] === true && PADDING_DEFAULTS),
    ...(dataKey !== undefined && { uplinkDataKey: dataKey }),
    ...options,
  };
}

function reuseSettings(xmux: JsonObject): JsonObject {
  const keepAlive = Number(asText(xmux['hKeepAlivePeriod']));
  return {
    ...ranges(xmux, REUSE_NAMES),
    ...(Number.isSafeInteger(keepAlive) && keepAlive !== 0 && { 'h-keep-alive-period': keepAlive }),
  };
}

function renamed(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (Object.hasOwn(names, key) ? [[names[key]!, value]] : [])),
  );
}

/** Apps want the lower end first; they take 0 literally, where the core takes its default, or refuse the whole file. */
function ranges(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => {
      const range = rangeOf(object[key]);
      if (range === null || range.from < 0 || range.to === 0) return [];
      const { from, to } = range;
      return [[name, from === to ? String(to) : `${from}-${to}`]];
    }),
  );
}

function textsIn(headers: JsonObject): JsonObject {
  const texts = Object.entries(headers).map(([name, value]) => [name, asText(value)]);
  return Object.fromEntries(texts.filter(([, value]) => value !== ''));
}
