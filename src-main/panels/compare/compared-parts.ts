import type { ComparedPart } from '../../bridge/jobs.ts';
import { plainText } from '../reading/tolerant.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import { flatLines, isObject, type FlatLine } from './flat-lines.ts';

type Json = Record<string, unknown>;

/** A line of one panel, with its place. */
export interface PartLine extends FlatLine {
  part: ComparedPart;
  group: string;
  isBound: boolean;
}

/** Settings bound to a machine: listening addresses, names, files, identity. */
const BOUND_SETTING =
  /port$|listen$|domain$|basepath$|path$|uri$|url$|certfile|keyfile|guid|host|timelocation|proxy|address/i;
/** In the template: values that name files, ports and addresses of the machine. */
const BOUND_IN_CORE = /^(?:log|api|inbounds)$|listen|address|interface|sendthrough|file/i;
const BOUND_IN_INBOUND = /^(?:port|listen)$|certificate|file$/i;
/** In an inbound: members that are not configuration. */
const NOT_COMPARED = new Set([
  'id',
  'up',
  'down',
  'clientStats',
  'clientCount',
  'onlineCount',
  'lastTrafficResetTime',
  'originNodeGuid',
  'fallbackParent',
  'nodeId',
  'tag',
]);

/** The settings of a panel. @throws {JobFailure} */
export async function settingsLines(calls: PanelCalls): Promise<PartLine[]> {
  const settings = await calls.post('/panel/api/setting/all');
  if (!isObject(settings)) throw new JobFailure('wrong', { words: '' });
  return (
    Object.entries(settings)
      // Flags of secrets, and what the panel returns besides its settings.
      .filter(([key, value]) => !/^has[A-Z]/.test(key) && !isObject(value))
      .map(([key, value]) => ({
        part: 'settings',
        group: '',
        path: [key],
        value,
        isSecret: flatLines(value, [key]).some(({ isSecret }) => isSecret),
        isBound: BOUND_SETTING.test(key),
      }))
  );
}

/** Other panels call it after their core. @returns the template and what is sent back with it @throws {JobFailure} */
export async function readTemplate(calls: PanelCalls): Promise<{ template: Json; testUrl: string; base: string }> {
  for (const base of ['/panel/api/core', '/panel/api/xray'])
    try {
      return { ...templateIn(await calls.post(`${base}/`)), base };
    } catch (error) {
      if (!(error instanceof JobFailure) || error.detail.code !== 'absent') throw error;
    }
  throw new JobFailure('absent');
}

function templateIn(result: unknown): { template: Json; testUrl: string } {
  const whole = typeof result === 'string' ? (JSON.parse(result) as unknown) : result;
  const { xraySetting, outboundTestUrl } = (whole ?? {}) as { xraySetting?: unknown; outboundTestUrl?: unknown };
  const template = typeof xraySetting === 'string' ? (JSON.parse(xraySetting) as unknown) : xraySetting;
  if (!isObject(template)) throw new JobFailure('wrong', { words: '' });
  return { template, testUrl: typeof outboundTestUrl === 'string' ? outboundTestUrl : '' };
}

/** @throws {JobFailure} */
export async function coreLines(calls: PanelCalls): Promise<PartLine[]> {
  const { template } = await readTemplate(calls);
  return flatLines(template).map((line) => ({
    ...line,
    part: 'core',
    group: line.path[0] ?? '',
    isBound: line.path.some((step) => BOUND_IN_CORE.test(step)),
  }));
}

/** Inbounds by name, without clients. @throws {JobFailure} */
export async function readInboundsByName(calls: PanelCalls): Promise<Map<string, Json>> {
  const counted = await calls.getOrNone('/panel/api/inbounds/list/counted');
  const listed = counted ?? (await calls.get('/panel/api/inbounds/list'));
  const found = new Map<string, Json>();
  for (const row of Array.isArray(listed) ? (listed as unknown[]) : []) {
    if (!isObject(row)) continue;
    const remark = typeof row['remark'] === 'string' ? row['remark'] : '';
    const tag = typeof row['tag'] === 'string' ? row['tag'] : '';
    const name = plainText(remark === '' ? tag : remark);
    if (name !== '' && !found.has(name)) found.set(name, withSections(row));
  }
  return found;
}

/** Older panels store sections as text. */
export function withSections(row: Json): Json {
  const whole = { ...row };
  for (const key of ['settings', 'streamSettings', 'sniffing']) {
    const value = whole[key];
    if (typeof value !== 'string') continue;
    try {
      whole[key] = JSON.parse(value) as unknown;
    } catch {
      whole[key] = null;
    }
  }
  return whole;
}

/** @throws {JobFailure} */
export async function inboundLines(calls: PanelCalls): Promise<PartLine[]> {
  const inbounds = await readInboundsByName(calls);
  return [...inbounds].flatMap(([group, inbound]) =>
    flatLines(comparable(inbound)).map((line) => ({
      ...line,
      part: 'inbounds' as const,
      group,
      isBound: line.path.some((step) => BOUND_IN_INBOUND.test(step)),
    })),
  );
}

function comparable(inbound: Json): Json {
  const kept = Object.fromEntries(Object.entries(inbound).filter(([key]) => !NOT_COMPARED.has(key)));
  const { settings } = kept;
  if (!isObject(settings)) return kept;
  const { clients: _clients, ...rest } = settings;
  return { ...kept, settings: rest };
}
