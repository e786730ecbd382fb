import {
  MAX_SEARCH_LENGTH,
  type HitKind,
  type PanelHit,
  type PanelInventory,
  type SearchResult,
} from '../../bridge/panels.ts';
import { createKeyTexts, fold, type KeyTexts } from './key-texts.ts';

const MAX_HITS = 50;
/** Most matches of one kind per panel that are ranked; the best of them are returned. */
const MAX_PER_PANEL = 30;

/** Search index of one panel. */
export interface PanelKeys {
  clients: KeyTexts;
  clientsReadAtMs: number;
  lists: Record<Exclude<HitKind, 'client'>, { keys: KeyTexts; refs: string[] }>;
  listsReadAtMs: number;
}

/** Searched fields of a client: its keys come first, the group is only shown. */
export const clientKeys = (client: { email: string; subId: string; uuid: string; comment: string }): string[] => [
  client.email,
  client.subId,
  client.uuid,
  client.comment,
];

type Listed = readonly [ref: string | number, keys: readonly (string | number)[]];
function listed(rows: readonly Listed[]): { keys: KeyTexts; refs: string[] } {
  return {
    keys: createKeyTexts(rows.map(([, keys]) => keys.map(String))),
    refs: rows.map(([ref]) => String(ref)),
  };
}

export function listKeys(
  inventory: Pick<PanelInventory, 'inbounds' | 'hosts' | 'nodes' | 'settings'>,
): PanelKeys['lists'] {
  return {
    inbound: listed(
      inventory.inbounds.map(({ id, name, tag, port, listen, protocol }) => [id, [name, tag, port, listen, protocol]]),
    ),
    host: listed(inventory.hosts.map(({ id, name, address, sni, port }) => [id, [name, address, sni, port]])),
    node: listed(inventory.nodes.map(({ id, name, address, port }) => [id, [name, address, port]])),
    setting: listed(inventory.settings.map(({ key, value }) => [key, [key, value]])),
  };
}

export const NO_KEYS: PanelKeys = {
  clients: createKeyTexts([]),
  clientsReadAtMs: 0,
  lists: listKeys({ inbounds: [], hosts: [], nodes: [], settings: [] }),
  listsReadAtMs: 0,
};

type Ranked = PanelHit & { rank: number };

/** Searches all panels. Whole names come first, then prefixes; clients before what they are on. */
export function searchPanels(
  panels: ReadonlyMap<string, PanelKeys>,
  query: string,
  monotonic: () => number,
): SearchResult {
  const startedMs = monotonic();
  const text = fold(query.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_SEARCH_LENGTH));
  const found: Ranked[] = [];
  let isCut = false;
  if (text !== '')
    for (const [panelId, keys] of panels) {
      const before = found.length;
      for (const { keys: shown, rank } of keys.clients.find(text, MAX_PER_PANEL)) {
        const [email = '', ...others] = shown;
        found.push(hit(panelId, 'client', email, email, others, rank, keys.clientsReadAtMs));
      }
      for (const [kind, { keys: texts, refs }] of Object.entries(keys.lists))
        for (const { at, keys: shown, rank } of texts.find(text, MAX_PER_PANEL)) {
          const [title = '', ...others] = shown;
          found.push(hit(panelId, kind as HitKind, refs[at] ?? '', title, others, rank, keys.listsReadAtMs));
        }
      isCut ||= found.length - before >= MAX_PER_PANEL;
    }
  found.sort((one, other) => one.rank - other.rank);
  const hits = found.slice(0, MAX_HITS).map(({ rank: _rank, ...shown }) => shown);
  return { hits, isCut: isCut || found.length > MAX_HITS, tookMs: monotonic() - startedMs };
}

function hit(
  panelId: string,
  kind: HitKind,
  ref: string,
  title: string,
  others: readonly string[],
  rank: number,
  readAtMs: number,
): Ranked {
  const detail = others.filter((other) => other !== '' && other !== title).join(' · ');
  return {
    panelId,
    kind,
    ref,
    title: title === '' ? detail : title,
    detail: title === '' ? '' : detail,
    readAtMs,
    rank,
  };
}
