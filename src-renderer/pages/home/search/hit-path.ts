import type { PanelHit } from '../../../../src-main/bridge/panels.ts';

const of = (page: string, name: string, ref: string): string => `/panel/${page}?${name}=${encodeURIComponent(ref)}`;

/** The page of a panel that shows what was found. */
export async function pathOfHit({ kind, ref }: Pick<PanelHit, 'kind' | 'ref'>): Promise<string> {
  switch (kind) {
    case 'client':
      return of('clients', 'client', ref);
    case 'inbound':
      return of('inbounds', 'show', ref);
    case 'host':
      return of('hosts', 'host', ref);
    case 'node':
      return of('nodes', 'show', ref);
    default:
      return of(`settings/${await sectionOf(ref)}`, 'q', ref);
  }
}

/** The list belongs to the page of the settings and comes with the first one that is opened. */
async function sectionOf(key: string): Promise<string> {
  const { GROUPS } = await import('../../settings/sections.ts');
  return GROUPS.find(({ keys }) => (keys as readonly string[]).includes(key))?.section ?? 'general';
}
