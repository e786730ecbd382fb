import { sql } from 'kysely';
import { runBatch } from '../../src-server/store/batch.ts';
import { openStore } from '../../src-server/store/open-store.ts';
import {
  clientsOf,
  CREATED_AT_MS,
  EVERYWHERE,
  INBOUNDS_PER_NODE,
  portOf,
  subIdOf,
  tagOf,
  uuidOf,
  type FleetClient,
} from './shape.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** Fills a stopped panel with the contents of its nodes, given in fleet order, as delivered long ago. */
export async function seedFleet(dataDir: string, nodeIds: readonly number[]): Promise<void> {
  const store = await openStore({ dataDir, clock: Date.now, log: QUIET });
  const everywhere: FleetClient = {
    ...EVERYWHERE,
    uuid: uuidOf(EVERYWHERE.id),
    subId: subIdOf(EVERYWHERE.id),
    inbound: 0,
  };
  const held = nodeIds.map((nodeId, node) => ({ nodeId, node, clients: clientsOf(node) }));
  const clients = [...held.flatMap((each) => each.clients), everywhere];
  const inboundId = (node: number, inbound: number): number => node * INBOUNDS_PER_NODE + inbound + 1;
  const links = held.flatMap(({ nodeId, node, clients: own }) =>
    [...own, everywhere].map((client) => ({ ...client, nodeId, inboundId: inboundId(node, client.inbound) })),
  );
  await store.write(async (trx) => {
    for (const { nodeId, node } of held)
      for (let at = 0; at < INBOUNDS_PER_NODE; at++) {
        const tag = `n${nodeId}-${tagOf(at)}`;
        await sql`INSERT INTO inbounds (id, tag, remark, enable, disabledBy, listen, port, protocol, settings, streamSettings,
            sniffing, expiresAtMs, quotaBytes, upBytes, downBytes, trafficReset, lastTrafficResetAtMs, nodeId,
            originNodeGuid, createdAtMs, updatedAtMs)
          VALUES (${inboundId(node, at)}, ${tag}, '', 1, '', '127.0.0.1', ${portOf(at)}, 'vless', '{"decryption":"none"}',
            '{"network":"tcp","security":"none"}', '', 0, 0, 0, 0, 'never', 0, ${nodeId}, '',
            ${CREATED_AT_MS}, ${CREATED_AT_MS})`.execute(trx);
        await sql`INSERT INTO nodeInbounds (inboundId, nodeId, remoteId, remoteTag)
          VALUES (${inboundId(node, at)}, ${nodeId}, ${at + 1}, ${tagOf(at)})`.execute(trx);
      }
    const emails = clients.map(({ email }) => email);
    const ids = Float64Array.from(clients, ({ id }) => id);
    await runBatch(
      trx,
      sql`INSERT INTO clients (id, email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId, groupName, comment, createdAtMs, updatedAtMs, searchKey)
          VALUES (${0}, ${''}, ${''}, ${''}, ${''}, '', '', '', '', '', 0, 0, '', '', ${0}, ${0}, ${''})`,
      [
        ids,
        emails,
        emails,
        clients.map(({ subId }) => subId),
        clients.map(({ uuid }) => uuid),
        [CREATED_AT_MS],
        [CREATED_AT_MS],
        clients.map(({ email, subId }) => `${email}\u001f${subId}\u001f`),
      ],
      clients.length,
    );
    await runBatch(
      trx,
      sql`INSERT INTO clientStates (clientId, enable, disabledBy, quotaBytes, expiresAtMs, resetDays, upBytes, downBytes, lastOnlineAtMs)
          VALUES (${0}, 1, '', 0, 0, 0, 0, 0, 0)`,
      [ids],
      clients.length,
    );
    const linked = Float64Array.from(links, ({ id }) => id);
    await runBatch(
      trx,
      sql`INSERT INTO clientInbounds VALUES (${0}, ${0}, '', '', ${0})`,
      [linked, Float64Array.from(links, (link) => link.inboundId), [CREATED_AT_MS]],
      links.length,
    );
    const names = links.map(({ email }) => email);
    await runBatch(
      trx,
      sql`INSERT INTO nodeClients (nodeId, clientId, email, emailKey, upBytes, downBytes) VALUES (${0}, ${0}, ${''}, ${''}, 0, 0)`,
      [Float64Array.from(links, ({ nodeId }) => nodeId), linked, names, names],
      links.length,
    );
  });
  await store.close();
}
