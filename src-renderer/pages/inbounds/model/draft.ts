import type { CountedInbound } from '#contract/inbounds';
import type { Json, JsonObject } from '#wire/json';
import { isProtocol } from '#wire/protocol-catalogue';
import { FRESH_SETTINGS } from './protocol-members.ts';
import { objectAt, readAt, readObject, textAt, writeAt } from '../../../forms/draft/json.ts';

/**
 * An inbound while it is edited: the object that will be sent, so that form and JSON show the same thing and members
 * without a field survive. Its clients are left out: a save without them leaves them alone.
 */
export type Draft = JsonObject;

const OWN = [
  'enable',
  'remark',
  'listen',
  'port',
  'protocol',
  'expiryTime',
  'total',
  'trafficReset',
  'nodeId',
  'serverId',
  'tag',
  'settings',
  'streamSettings',
  'sniffing',
] as const;

/** The parts of an inbound that the editor reads. */
type EditedRow = Pick<CountedInbound, (typeof OWN)[number]>;

/** A stored inbound as a draft. */
export function toForm(row: EditedRow): Draft {
  const draft = Object.fromEntries(OWN.map((key) => [key, row[key]])) as Draft;
  const { clients: _clients, ...settings } = objectAt(draft, 'settings');
  return typeof row.settings === 'object' && row.settings !== null ? { ...draft, settings } : draft;
}

/** The draft of a copy: another name, another port, off, without a tag. */
export function toClone(row: EditedRow, suffix: string, port: number): Draft {
  return { ...toForm(row), remark: `${row.remark}${suffix}`, enable: false, listen: '', tag: '', port };
}

/** Members of an inbound that was copied as a recipe, or exported, and pasted here instead of being imported. */
export function fromRecipe(text: unknown): Draft {
  const whole = typeof text === 'string' ? readObject(text) : null;
  if (whole === null || !isProtocol(textAt(whole, 'protocol'))) return {};
  // Other panels export the sections as text.
  const section = (name: string): Json | undefined => readObject(textAt(whole, name)) ?? whole[name];
  const { clients: _clients, ...settings } = objectAt(section('settings'));
  const { remark, port, protocol } = whole;
  const sections = { settings, streamSettings: section('streamSettings'), sniffing: section('sniffing') };
  const given = Object.entries({ remark, port, protocol, ...sections });
  return Object.fromEntries(given.filter((member): member is [string, Json] => member[1] !== undefined));
}

export function newDraft(port: number): Draft {
  return {
    enable: true,
    remark: '',
    listen: '',
    port,
    protocol: 'vless',
    expiryTime: 0,
    total: 0,
    trafficReset: 'never',
    nodeId: null,
    tag: '',
    settings: FRESH_SETTINGS.vless,
    streamSettings: { network: 'tcp', security: 'none' },
    sniffing: { enabled: false },
  };
}

/** The draft to send, without empty values. Texts that the core would replace by its default are left out. */
export function toWire(draft: Draft): JsonObject {
  let body = draft;
  const network = textAt(body, 'streamSettings.network');
  if (network === 'xhttp')
    body = writeAt(body, 'streamSettings.xhttpSettings', withoutBlanks(objectAt(body, 'streamSettings.xhttpSettings')));
  if (readAt(body, 'streamSettings.sockopt') !== undefined) {
    const stored = objectAt(body, 'streamSettings.sockopt');
    // Off is a choice of its own here: without it the system decides.
    const fastOpen = stored['tcpFastOpen'] === false ? { tcpFastOpen: false } : {};
    const sockopt = { ...withoutBlanks(stored), ...fastOpen };
    body = writeAt(body, 'streamSettings.sockopt', Object.keys(sockopt).length === 0 ? undefined : sockopt);
  }
  return body;
}

/** Empty texts, off switches, zeros and empty lists would be stored as if they had been chosen. */
function withoutBlanks(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) => !(value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0)),
    ),
  );
}
