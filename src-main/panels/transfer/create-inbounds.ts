import type { PanelCalls } from '../jobs/panel-calls.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import type { PreparedInbound } from './plan-transfer.ts';
import { readPlaces } from './read-transfer.ts';
import type { JournalHead } from './transfer-journal.ts';

/** Members of a host that belong to its old panel. */
const OF_THE_HOST = ['id', 'inboundId', 'groupId', 'createdAt', 'updatedAt', 'nodeGuids'];

/** Creates one inbound without clients, with its hosts. @returns its id in the new panel @throws {JobFailure} */
export async function createInbound(
  to: PanelCalls,
  { source, port, tag, streamSettings, hosts }: PreparedInbound,
  beforeIds: readonly number[],
): Promise<number> {
  const { enable, remark, listen, protocol, expiryTime, total, up, down, trafficReset, settings, sniffing } = source;
  const hasClients = ['vless', 'vmess', 'trojan', 'shadowsocks', 'hysteria', 'hysteria2'].includes(protocol);
  const created = await to.post('/panel/api/inbounds/add', {
    enable,
    remark,
    listen,
    port,
    protocol,
    expiryTime,
    total,
    up,
    down,
    ...(trafficReset === undefined ? {} : { trafficReset }),
    tag,
    settings: { ...settings, ...(hasClients ? { clients: [] } : {}) },
    streamSettings: streamSettings ?? {},
    sniffing: sniffing ?? {},
  });
  const reportedId = (created as { id?: unknown } | null | undefined)?.id;
  const id = typeof reportedId === 'number' ? reportedId : await findNew(to, { port, protocol, remark }, beforeIds);
  if (id === null) throw new JobFailure('wrong', { words: '' });
  for (const host of hosts) {
    const body = { ...host, inboundId: id };
    for (const key of OF_THE_HOST) if (key !== 'inboundId') Reflect.deleteProperty(body, key);
    await to.post('/panel/api/hosts/add', body);
  }
  return id;
}

/** An inbound that was not there before, recognised by its contents; null: there is none. */
export async function findNew(
  to: PanelCalls,
  made: { port: number; protocol: string; remark: string },
  beforeIds: readonly number[],
): Promise<number | null> {
  const found = (await readPlaces(to)).find(
    ({ id, port, protocol, remark }) =>
      !beforeIds.includes(id) && port === made.port && protocol === made.protocol && remark === made.remark,
  );
  return found?.id ?? null;
}

/** Fallback rules from one inbound to another, once both exist. @throws {JobFailure} */
export async function createFallbacks(
  to: PanelCalls,
  prepared: readonly PreparedInbound[],
  head: JournalHead,
): Promise<void> {
  const newIds = new Map(head.inbounds.map(({ sourceId, newId }) => [sourceId, newId]));
  for (const { source, fallbacks: wanted } of prepared) {
    const fallbacks = wanted.flatMap((rule) => {
      const { childId, name, alpn, path, dest, xver, sortOrder } = rule;
      if (typeof childId !== 'number' || childId === 0)
        return [{ childId: 0, name, alpn, path, dest, xver, sortOrder }];
      const child = newIds.get(childId) ?? null;
      return child === null ? [] : [{ childId: child, name, alpn, path, dest, xver, sortOrder }];
    });
    if (fallbacks.length > 0) await to.post(`/panel/api/inbounds/${newIds.get(source.id)}/fallbacks`, { fallbacks });
  }
}
