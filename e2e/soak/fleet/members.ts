import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBreakingRelay, type BreakingRelay } from '../../harness/peers/breaking-relay.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import { makeToken, newDataDir, startPanel, type PanelProcess } from '../../harness/panel-process.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

export interface Entry {
  email: string;
  comment: string;
  created_at: number;
  updated_at: number;
}
export interface Inbound {
  id: number;
  port: number;
  remark: string;
  total: number;
  sniffing: unknown;
  settings: { clients: Entry[] };
  clientStats: { email: string; lifetimeUp: number; lifetimeDown: number }[];
}
interface Status {
  core: { state: string; pid: number };
  appStats: { pid: number };
}
export interface Node {
  id: number;
  status: string;
  configDirty: boolean;
  syncError: string;
  plans: unknown[];
}
/** A panel that is a node of the top panel. */
export interface Member {
  panel: PanelProcess;
  relay: BreakingRelay;
  nodeId: number;
  /** The inbounds that the top panel keeps on it. */
  inbounds: { id: number; port: number }[];
}

export const API = '/panel/api';
const INBOUNDS_PER_NODE = 2;
const CLOCK_PRELOAD = new URL('../../harness/moved-clock.ts', import.meta.url).href;

export const inboundsOf = ({ api }: PanelProcess): Promise<Inbound[]> => api.get(`${API}/inbounds/list`);
export const statusOf = ({ api }: PanelProcess): Promise<Status> => api.get(`${API}/server/status`);

/** A panel becomes a node, through a relay that can be broken, with inbounds of the master. */
export async function joinFleet(top: PanelProcess, panel: PanelProcess, name: string): Promise<Member> {
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

const clockFile = (dataDir: string): string => join(dataDir, 'moved-clock');

/** A panel with an adjustable clock. */
export async function startMovable(): Promise<PanelProcess> {
  const dataDir = await newDataDir();
  return startPanel({
    dataDir,
    env: { NODE_OPTIONS: `--import=${CLOCK_PRELOAD}`, MOVED_CLOCK_FILE: clockFile(dataDir) },
  });
}

/** Offset of a panel's clock from the real time. */
export const moveClock = ({ dataDir }: PanelProcess, offsetMs: number): Promise<void> =>
  offsetMs === 0 ? rm(clockFile(dataDir), { force: true }) : writeFile(clockFile(dataDir), String(offsetMs));
