import type { JsonObject } from '../source.ts';
import { isJsonObject, renamed, textOf, without } from '../json-access.ts';
import { refuse, type Report } from '../rules/finding.ts';
import {
  flag,
  int32,
  integer,
  intRange,
  oneOf,
  rangeOf,
  shape,
  text,
  unsent,
  type FieldRule,
} from '../rules/field-rules.ts';
import { headersWithoutHost } from './http-headers.ts';
import { checkSessionId } from './xhttp-session-id.ts';
import type { Transport } from './transport.ts';

/** Used by clients only; the stored row keeps them for links and subscriptions. */
const CLIENT_ONLY = ['xmux', 'downloadSettings', 'scMinPostsIntervalMs', 'uplinkChunkSize', 'noGRPCHeader'];

const xmux = shape(
  {
    maxConcurrency: intRange,
    maxConnections: intRange,
    cMaxReuseTimes: intRange,
    hMaxRequestTimes: intRange,
    hMaxReusableSecs: intRange,
    hKeepAlivePeriod: integer(),
  },
  (value, where, report) => {
    if ((rangeOf(value['maxConnections'])?.to ?? 0) > 0 && (rangeOf(value['maxConcurrency'])?.to ?? 0) > 0)
      refuse(report, `${where}.maxConnections`, 'config.maxConcurrency');
  },
);

const placement = oneOf('', 'path', 'cookie', 'header', 'query');

const MEMBERS = {
  host: text,
  path: text,
  mode: oneOf('', 'auto', 'packet-up', 'stream-up', 'stream-one'),
  headers: headersWithoutHost,
  xPaddingBytes: intRange,
  xPaddingObfsMode: flag,
  xPaddingKey: text,
  xPaddingHeader: text,
  xPaddingPlacement: oneOf('', 'cookie', 'header', 'query', 'queryInHeader'),
  xPaddingMethod: oneOf('', 'repeat-x', 'tokenish'),
  uplinkHTTPMethod: text,
  sessionIDPlacement: placement,
  sessionIDKey: text,
  sessionIDTable: text,
  sessionIDLength: intRange,
  seqPlacement: placement,
  seqKey: text,
  uplinkDataPlacement: oneOf('', 'auto', 'body', 'cookie', 'header'),
  uplinkDataKey: text,
  scMaxEachPostBytes: intRange,
  scMaxBufferedPosts: integer(),
  scStreamUpServerSecs: intRange,
  serverMaxHeaderBytes: int32,
  noSSEHeader: flag,
  xmux: unsent(xmux),
  downloadSettings: unsent(shape({})),
  scMinPostsIntervalMs: unsent(intRange),
  uplinkChunkSize: unsent(intRange),
  noGRPCHeader: unsent(flag),
};

const rules: FieldRule = shape({ ...MEMBERS, extra: shape(MEMBERS) }, (value, where, report) => {
  // `extra` replaces everything except host, path and mode, so only one of the two takes effect.
  const extra = isJsonObject(value['extra']) ? value['extra'] : null;
  const inForce = extra === null ? value : { ...extra, mode: value['mode'] ?? null };
  checkTogether(inForce, extra === null ? where : `${where}.extra`, report);
});

function checkTogether(value: JsonObject, where: string, report: Report): void {
  const mode = textOf(value['mode']);
  const padding = rangeOf(value['xPaddingBytes']);
  if (padding !== null && (padding.from !== 0 || padding.to !== 0) && padding.from <= 0)
    refuse(report, `${where}.xPaddingBytes`, 'config.padding');
  if (textOf(value['uplinkHTTPMethod']).toUpperCase() === 'GET' && mode !== 'packet-up')
    refuse(report, `${where}.uplinkHTTPMethod`, 'config.uplinkGet');
  if (['cookie', 'header'].includes(textOf(value['uplinkDataPlacement'])) && mode !== 'packet-up')
    refuse(report, `${where}.uplinkDataPlacement`, 'config.uplinkPlacement');
  if (typeof value['serverMaxHeaderBytes'] === 'number' && value['serverMaxHeaderBytes'] < 0)
    refuse(report, `${where}.serverMaxHeaderBytes`, 'config.atLeast', { min: 0 });
  checkSessionId(value, where, report);
}

export const xhttp: Transport = {
  name: 'xhttp',
  aliases: ['splithttp'],
  blocks: ['xhttpSettings', 'splithttpSettings'],
  winner: 'xhttpSettings',
  carriesReality: true,
  rules,
  normalise: liftSessionKeys,
  emit: (settings) => {
    const server = without(settings, ...CLIENT_ONLY);
    return isJsonObject(server['extra']) ? { ...server, extra: without(server['extra'], ...CLIENT_ONLY) } : server;
  },
};

/** The core renamed these two and silently ignores the old names. Valid for inbounds and outbounds. */
export function liftSessionKeys(settings: JsonObject): JsonObject {
  const lifted = renamed(renamed(settings, 'sessionPlacement', 'sessionIDPlacement'), 'sessionKey', 'sessionIDKey');
  return isJsonObject(lifted['extra']) ? { ...lifted, extra: liftSessionKeys(lifted['extra']) } : lifted;
}
