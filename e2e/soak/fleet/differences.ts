import type { PanelProcess } from '../../harness/panel-process.ts';
import { activeEmailsOf, trafficOf } from './active-clients.ts';
import { API, inboundsOf, type Inbound, type Member, type Node } from './members.ts';

/** Differences between the panels about a client, one line each. */
export async function findDifferences(top: PanelProcess, members: readonly Member[]): Promise<string[]> {
  return [
    ...(await unsettledNodes(top)),
    ...(await differentInbounds(top, members)),
    ...(await differentTraffic(top, members)),
  ];
}

async function unsettledNodes(top: PanelProcess): Promise<string[]> {
  const nodes = await top.api.get<Node[]>(`${API}/nodes/list`);
  return nodes
    .filter(
      ({ status, configDirty, syncError, plans }) =>
        status !== 'online' || configDirty || syncError !== '' || plans.length > 0,
    )
    .map(({ id, status, configDirty, syncError }) => `node ${id}: ${status}, waits ${configDirty}, ${syncError}`);
}

async function differentInbounds(top: PanelProcess, members: readonly Member[]): Promise<string[]> {
  const found: string[] = [];
  const inboundsHere = await inboundsOf(top);
  for (const { panel } of members) {
    for (const inbound of await inboundsOf(panel)) {
      const same = inboundsHere.find(({ port }) => port === inbound.port);
      if (same === undefined || ownOf(same) !== ownOf(inbound))
        found.push(`inbound ${inbound.port}: ${same && ownOf(same)} here, ${ownOf(inbound)} there`);
      const here = same === undefined ? new Map<string, string>() : entriesOf(same);
      const there = entriesOf(inbound);
      for (const email of new Set([...here.keys(), ...there.keys()]))
        if (here.get(email) !== there.get(email))
          found.push(`${email} at ${inbound.port}: ${here.get(email)} here, ${there.get(email)} there`);
    }
  }
  return found;
}

async function differentTraffic(top: PanelProcess, members: readonly Member[]): Promise<string[]> {
  const found: string[] = [];
  const sums = new Map<string, { up: number; down: number }>();
  for (const [at, { panel }] of members.entries())
    for (const email of activeEmailsOf(at)) {
      const { lifetimeUp: up, lifetimeDown: down } = await trafficOf(panel, email);
      const sum = sums.get(email) ?? { up: 0, down: 0 };
      sums.set(email, { up: sum.up + up, down: sum.down + down });
    }
  for (const [email, { up, down }] of sums) {
    const { lifetimeUp, lifetimeDown } = await trafficOf(top, email);
    if (lifetimeUp !== up || lifetimeDown !== down)
      found.push(`${email}: ${lifetimeUp} and ${lifetimeDown} bytes here, ${up} and ${down} there`);
  }
  return found;
}

/** Edits of an inbound itself. */
const ownOf = ({ remark, total, sniffing }: Inbound): string => JSON.stringify({ remark, total, sniffing });

/** By e-mail, without each panel's private data. */
function entriesOf({ settings }: Inbound): Map<string, string> {
  return new Map(
    settings.clients.map(({ created_at: _created, updated_at: _updated, comment: _comment, ...entry }) => [
      entry.email,
      JSON.stringify(entry),
    ]),
  );
}
