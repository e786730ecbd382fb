import { rm, writeFile } from 'node:fs/promises';
import { join as inFolder } from 'node:path';
import { startBreakingRelay, type Breakage, type BreakingRelay } from '../harness/peers/breaking-relay.ts';
import { startCoreClient, type CoreClient } from '../harness/core-client.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { makeToken, disposePanel, newDataDir, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { startTargetServer } from '../harness/target-server.ts';
import { pause, waitFor } from '../harness/wait-for.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

type Pick = <T>(all: readonly T[]) => T;
/** One random action; fails when the panel is down or refuses. */
type Act = (pick: Pick) => Promise<unknown>;

interface Entry {
  email: string;
  comment: string;
  created_at: number;
  updated_at: number;
}
interface Inbound {
  id: number;
  port: number;
  remark: string;
  total: number;
  sniffing: unknown;
  settings: { clients: Entry[] };
  clientStats: { email: string; up: number; down: number }[];
}
interface Status {
  core: { state: string; pid: number };
  appStats: { pid: number };
}
interface Node {
  id: number;
  status: string;
  configDirty: boolean;
  syncError: string;
  plans: unknown[];
}
interface Member {
  panel: PanelProcess;
  relay: BreakingRelay;
  nodeId: number;
  /** Its inbounds here, with their ports. */
  inbounds: { id: number; port: number }[];
}

const API = '/panel/api';
const INBOUNDS_PER_NODE = 2;
const BREAKAGES: readonly Breakage[] = ['cut', 'page', 'empty', 'noNumbers', 'older'];
const DRIP_BYTES = 300_000;
const SNIFFING = { enabled: true, destOverride: ['http', 'tls'], metadataOnly: false, routeOnly: false };
const CLOCK_PRELOAD = new URL('../harness/moved-clock.ts', import.meta.url).href;
const HOUR_MS = 3_600_000;
/** Clock jumps, too short to reach the deadline that an edit gives a client. */
const JUMPS_MS = [-26 * HOUR_MS, -HOUR_MS, -40_000, 0, 40_000, HOUR_MS, 26 * HOUR_MS];
/** Clients with traffic; no random edit concerns them. */
const isActive = (email: string): boolean => email.startsWith('active');

/** A master and two nodes, each a process with a core, and clients with constant traffic through both nodes. */
export async function startFleet() {
  const site = await startTargetServer();
  const [top, ...below] = (await Promise.all(Array.from({ length: 3 }, startMovable))) as [
    PanelProcess,
    ...PanelProcess[],
  ];
  await Promise.all([top, ...below].map(({ api }) => allowPrivateEgress(api)));
  const members: Member[] = [];
  for (const [at, panel] of below.entries()) members.push(await join(top, panel, `node ${at}`));
  const panels = [top, ...below];
  const inboundIds = members.flatMap(({ inbounds }) => inbounds.map(({ id }) => id));
  const clients: CoreClient[] = [];
  const stopped = new AbortController();
  const moving: Promise<void>[] = [];
  for (const [at, { inbounds }] of members.entries()) await startActiveClient(`active-${at}`, [inbounds[0]!]);
  await startActiveClient(
    'active-everywhere',
    members.map(({ inbounds }) => inbounds[1]!),
  );
  let added = 0;

  /** A client of the master that downloads through each of these inbounds until it is stopped. */
  async function startActiveClient(email: string, at: { id: number; port: number }[]): Promise<void> {
    await top.api.post(`${API}/clients/add`, { client: { email }, inboundIds: at.map(({ id }) => id) });
    const { client } = await top.api.get<{ client: { id: string } }>(`${API}/clients/get/${email}`);
    for (const { port } of at) {
      const settings = { address: '127.0.0.1', port, id: client.id, encryption: 'none' };
      const started = await startCoreClient({ protocol: 'vless', settings });
      clients.push(started);
      moving.push(keepMoving(started));
    }
  }

  async function keepMoving(client: CoreClient): Promise<void> {
    while (!stopped.signal.aborted) {
      await client.fetchBytes(`${site.url}/bytes/${DRIP_BYTES}`, 5_000).catch(() => undefined);
      await pause(500);
    }
  }

  const inboundsOf = ({ api }: PanelProcess) => api.get<Inbound[]>(`${API}/inbounds/list`);
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

  const acts: Record<string, Act> = {
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
    remove: async (pick) => top.api.post(`${API}/clients/del/${await someone(pick, top)}`),
  };

  const statusOf = ({ api }: PanelProcess) => api.get<Status>(`${API}/server/status`);
  const breakages: Record<string, Act> = {
    killPanel: async (pick) => process.kill((await statusOf(pick(panels))).appStats.pid, 'SIGKILL'),
    killCore: async (pick) => process.kill((await statusOf(pick(panels))).core.pid, 'SIGKILL'),
    killBoth: async (pick) => {
      const { core, appStats } = await statusOf(pick(panels));
      process.kill(appStats.pid, 'SIGKILL');
      process.kill(core.pid, 'SIGKILL');
    },
    cut: async (pick) => {
      const { relay } = pick(members);
      relay.cut(true);
      await pause(pick([500, 6_000, 12_000]));
      relay.cut(false);
    },
    loseAnswers: async (pick) => pick(members).relay.loseNext(pick([1, 2, 3])),
    jumpClock: (pick) => moveClock(pick(panels), pick(JUMPS_MS)),
    breakLists: async (pick) => pick(members).relay.breakNext([pick(BREAKAGES), pick(BREAKAGES)]),
  };

  /** Differences between the panels about a client, one line each. */
  async function differences(): Promise<string[]> {
    const nodes = await top.api.get<Node[]>(`${API}/nodes/list`);
    const found = nodes
      .filter(
        ({ status, configDirty, syncError, plans }) =>
          status !== 'online' || configDirty || syncError !== '' || plans.length > 0,
      )
      .map(({ id, status, configDirty, syncError }) => `node ${id}: ${status}, waits ${configDirty}, ${syncError}`);
    const inboundsHere = await inboundsOf(top);
    const here = new Map(inboundsHere.map((inbound) => [inbound.port, entriesOf(inbound)]));
    const sums = new Map<string, { up: number; down: number }>();
    for (const [at, { panel }] of members.entries()) {
      for (const inbound of await inboundsOf(panel)) {
        const wanted = here.get(inbound.port) ?? new Map<string, string>();
        const there = entriesOf(inbound);
        const same = inboundsHere.find(({ port }) => port === inbound.port);
        if (same === undefined || ownOf(same) !== ownOf(inbound))
          found.push(`inbound ${inbound.port}: ${same && ownOf(same)} here, ${ownOf(inbound)} there`);
        for (const email of new Set([...wanted.keys(), ...there.keys()]))
          if (wanted.get(email) !== there.get(email))
            found.push(`${email} at ${inbound.port}: ${wanted.get(email)} here, ${there.get(email)} there`);
      }
      for (const email of activeEmailsOf(at)) {
        const { up, down } = await trafficOf(panel, email);
        const sum = sums.get(email) ?? { up: 0, down: 0 };
        sums.set(email, { up: sum.up + up, down: sum.down + down });
      }
    }
    for (const [email, { up, down }] of sums) {
      const counted = await trafficOf(top, email);
      if (counted.up !== up || counted.down !== down)
        found.push(`${email}: ${counted.up} and ${counted.down} bytes here, ${up} and ${down} there`);
    }
    return found;
  }
  const activeEmailsOf = (at: number): string[] => [`active-${at}`, 'active-everywhere'];
  /** The panel's own count; `clients/traffic` on a node reports the usage everywhere. */
  async function trafficOf(panel: PanelProcess, email: string): Promise<{ up: number; down: number }> {
    const found = (await inboundsOf(panel))
      .flatMap(({ clientStats }) => clientStats)
      .find((each) => each.email === email);
    if (found === undefined) throw new Error(`${email} is not there`);
    return found;
  }

  return {
    acts,
    breakages,
    differences,
    /** Approves what waits for the operator. */
    async confirmPlans(): Promise<void> {
      for (const { nodeId } of members)
        for (const { kind, digest } of await top.api.get<{ kind: string; digest: string }[]>(
          `${API}/nodes/plans/${nodeId}`,
        ))
          await top.api.post(`${API}/nodes/plans/${nodeId}/confirm`, { kind, digest });
    },
    /** Nothing breaks any more, nothing moves, and every panel is back. */
    async calm(): Promise<void> {
      for (const { relay } of members) {
        relay.cut(false);
        relay.loseNext(0);
        relay.breakNext([]);
      }
      for (const panel of panels) {
        await moveClock(panel, 0);
        await waitFor(
          'a panel and its core',
          async () => (await statusOf(panel)).core.state === 'running',
          120_000,
          500,
        );
      }
      stopped.abort();
      await Promise.all(moving);
    },
    async bytes(): Promise<{ counted: number; sent: number }> {
      let counted = 0;
      for (const email of new Set(members.flatMap((_, at) => activeEmailsOf(at))))
        counted += (await trafficOf(top, email)).down;
      return { counted, sent: site.sentBytes() };
    },
    async close(): Promise<void> {
      stopped.abort();
      await Promise.all(moving);
      for (const client of clients) await client.close();
      await Promise.all(panels.map(disposePanel));
      for (const { relay } of members) await relay.close();
      await site.close();
    },
  };
}

/** A panel becomes a node, through a relay that can be broken, with inbounds of the master. */
async function join(top: PanelProcess, panel: PanelProcess, name: string): Promise<Member> {
  const relay = await startBreakingRelay(panel.url);
  const apiToken = makeToken(panel.dataDir);
  const { pathname: basePath } = new URL(panel.url);
  const address = { scheme: 'http', address: '127.0.0.1', port: relay.port, basePath, allowPrivateAddress: true };
  const { id: nodeId } = await top.api.post<Node>(`${API}/nodes/add`, { name, ...address, apiToken });
  const inbounds: Member['inbounds'] = [];
  for (let at = 0; at < INBOUNDS_PER_NODE; at++) {
    const port = await freePort();
    const { id } = await addVlessInbound(top.api, { nodeId, port });
    inbounds.push({ id, port });
  }
  return { panel, relay, nodeId, inbounds };
}

const clockFile = (dataDir: string): string => inFolder(dataDir, 'moved-clock');

/** A panel with an adjustable clock. */
async function startMovable(): Promise<PanelProcess> {
  const dataDir = await newDataDir();
  return startPanel({
    dataDir,
    env: { NODE_OPTIONS: `--import=${CLOCK_PRELOAD}`, MOVED_CLOCK_FILE: clockFile(dataDir) },
  });
}

/** Offset of a panel's clock from the real time. */
const moveClock = ({ dataDir }: PanelProcess, offsetMs: number): Promise<void> =>
  offsetMs === 0 ? rm(clockFile(dataDir), { force: true }) : writeFile(clockFile(dataDir), String(offsetMs));

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
