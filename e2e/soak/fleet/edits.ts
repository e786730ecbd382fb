import type { PanelProcess } from '../../harness/panel-process.ts';
import { activeEmailsOf, isActive } from './active-clients.ts';
import { API, inboundsOf, type Inbound, type Member } from './members.ts';

export type Pick = <T>(all: readonly T[]) => T;
/** One random action; fails when the panel is down or refuses. */
export type Act = (pick: Pick) => Promise<unknown>;

const SNIFFING = { enabled: true, destOverride: ['http', 'tls'], metadataOnly: false, routeOnly: false };

/** Edits on the top panel and on its nodes. */
export function createEdits(top: PanelProcess, members: readonly Member[]): Record<string, Act> {
  const below = members.map(({ panel }) => panel);
  const inboundIds = members.flatMap(({ inbounds }) => inbounds.map(({ id }) => id));
  let added = 0;

  /** Changes only the name. */
  async function rename(pick: Pick, panel: PanelProcess): Promise<unknown> {
    const email = await someone(pick, panel);
    const { client } = await panel.api.get<{ client: object }>(`${API}/clients/get/${email}`);
    return panel.api.post(`${API}/clients/update/${email}`, { ...client, email: `client-${added++}` });
  }
  async function editInbound(pick: Pick, panel: PanelProcess, ids: readonly number[]): Promise<unknown> {
    const { clientStats: _stats, ...inbound } = await panel.api.get<Inbound>(`${API}/inbounds/get/${pick(ids)}`);
    const change = pick([
      { remark: `remark ${added++}` },
      { total: pick([0, 1, 2]) * 1_000_000_000_000 },
      { sniffing: pick([null, SNIFFING]) },
    ]);
    return panel.api.post(`${API}/inbounds/update/${inbound.id}`, { ...inbound, ...change });
  }

  return {
    add: (pick) =>
      top.api.post(`${API}/clients/add`, { client: { email: `client-${added++}` }, inboundIds: [pick(inboundIds)] }),
    editHere: (pick) => edit(pick, top),
    editThere: (pick) => edit(pick, pick(below)),
    addThere: async (pick) => {
      const panel = pick(below);
      const { id } = pick(await inboundsOf(panel));
      return panel.api.post(`${API}/clients/add`, { client: { email: `client-${added++}` }, inboundIds: [id] });
    },
    switch: async (pick) =>
      top.api.post(`${API}/clients/${pick(['bulkDisable', 'bulkEnable'])}`, { emails: [await someone(pick, top)] }),
    attach: async (pick) =>
      top.api.post(`${API}/clients/${await someone(pick, top)}/attach`, { inboundIds: [pick(inboundIds)] }),
    renameHere: (pick) => rename(pick, top),
    renameThere: (pick) => rename(pick, pick(below)),
    editInboundHere: (pick) => editInbound(pick, top, inboundIds),
    editInboundThere: async (pick) => {
      const panel = pick(below);
      return editInbound(
        pick,
        panel,
        (await inboundsOf(panel)).map(({ id }) => id),
      );
    },
    // Of clients with traffic: what was not read before counts all the same.
    resetThere: (pick) => {
      const at = pick([...members.keys()]);
      return below[at]!.api.post(`${API}/clients/resetTraffic/${pick(activeEmailsOf(at))}`);
    },
    remove: async (pick) => top.api.post(`${API}/clients/del/${await someone(pick, top)}`),
  };
}

async function someone(pick: Pick, panel: PanelProcess): Promise<string> {
  const emails = (await inboundsOf(panel)).flatMap(({ settings }) => settings.clients.map(({ email }) => email));
  const found = pick(emails.filter((email) => !isActive(email)));
  if (found === undefined) throw new Error('nobody is there');
  return found;
}

async function edit(pick: Pick, panel: PanelProcess): Promise<unknown> {
  const email = await someone(pick, panel);
  const change = pick([
    { totalGB: pick([0, 5_000_000_000, 9_000_000_000]) },
    { limitIp: pick([0, 2, 5]) },
    { expiryTime: Date.now() + pick([10, 20, 30]) * 86_400_000 },
  ]);
  return panel.api.post(`${API}/clients/update/${email}`, { email, ...change });
}
