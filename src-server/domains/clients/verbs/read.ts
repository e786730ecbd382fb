import { sql } from 'kysely';
import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import type { ResultOf } from '../../../contract/endpoint.ts';
import type { ClientRow, ClientTrafficRow, getClient } from '../contract.ts';
import { effectiveFlow } from '../rules/flow-rules.ts';
import { overlaid, presentAttachments, presentClient, presentKept, presentRow, presentTraffic } from '../present.ts';
import {
  clientByEmail,
  clientsAfter,
  externalLinksOf,
  keptTraffics,
  lastSubFetchOf,
  linksOf,
} from '../storage/repository-read.ts';
import type { StoredLink } from '../storage/stored-types.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';

/** Clients per page of a response that contains all of them. */
const PAGE_ROWS = 500;
const LAST_ONLINE_ROWS = 5_000;

export function createReads(store: Store, traffic: ClientTrafficPort) {
  return {
    /** Every client by record id, in pages: a response of 100,000 rows is written while it is read. */
    async *all(): AsyncGenerator<ClientRow[]> {
      for (let afterId = 0; ;) {
        const rows = await clientsAfter(store.heavyReader, afterId, PAGE_ROWS);
        if (rows.length === 0) return;
        const links = groupLinks(
          await linksOf(
            store.heavyReader,
            rows.map(({ id }) => id),
          ),
        );
        yield rows.map((row) => {
          const own = links.get(row.id) ?? [];
          return presentRow(
            row,
            effectiveFlow(row.flow, own),
            own.map(({ inboundId }) => inboundId),
          );
        });
        afterId = rows.at(-1)!.id;
      }
    },

    /** @throws {DomainError} `client.notFound` */
    async get(email: string): Promise<ResultOf<typeof getClient>> {
      const row = await clientByEmail(store.reader, email);
      if (row === null) throw new DomainError('client.notFound');
      const links = await linksOf(store.reader, [row.id]);
      const { up, down } = overlaid(row);
      const flow = effectiveFlow(row.flow, links);
      return {
        client: presentClient(row, flow),
        inboundIds: links.map(({ inboundId }) => inboundId),
        attachments: presentAttachments(flow, links),
        externalLinks: await externalLinksOf(store.reader, row.id),
        disabledBy: row.disabledBy,
        usedTraffic: up + down,
        lastSubFetch: await lastSubFetchOf(store.reader, row.id),
      };
    },

    /** Null for an e-mail with neither a client nor kept counters. */
    async traffic(email: string): Promise<(ClientTrafficRow & { lastSubFetch: number }) | null> {
      const row = await clientByEmail(store.reader, email);
      if (row !== null) {
        const [link] = await linksOf(store.reader, [row.id]);
        const lastSubFetch = await lastSubFetchOf(store.reader, row.id);
        return { ...presentTraffic(row, link?.inboundId ?? 0, true), lastSubFetch };
      }
      const [kept] = await keptTraffics(store.reader, [foldText(email)]);
      return kept === undefined ? null : { ...presentKept(kept), lastSubFetch: 0 };
    },

    onlines: (): string[] => [...traffic.onlineEmails()],

    /** Unix seconds by e-mail. */
    async lastOnline(): Promise<Record<string, number>> {
      // No prototype: an e-mail may be named __proto__.
      const seen = Object.create(null) as Record<string, number>;
      for (let afterId = 0; ;) {
        const { rows } = await sql<{ id: number; email: string; lastOnlineAtMs: number }>`
          SELECT client.id, client.email, state.lastOnlineAtMs
          FROM clientStates AS state JOIN clients AS client ON client.id = state.clientId
          WHERE state.clientId > ${afterId} AND state.lastOnlineAtMs > 0
          ORDER BY state.clientId LIMIT ${LAST_ONLINE_ROWS}`.execute(store.heavyReader);
        for (const { email, lastOnlineAtMs } of rows) seen[email] = Math.floor(lastOnlineAtMs / 1000);
        if (rows.length < LAST_ONLINE_ROWS) return seen;
        afterId = rows.at(-1)!.id;
      }
    },
  };
}

/** Links by client, each in the stored order. */
export function groupLinks(links: readonly StoredLink[]): Map<number, StoredLink[]> {
  const byClient = new Map<number, StoredLink[]>();
  for (const link of links) {
    const own = byClient.get(link.clientId);
    if (own === undefined) byClient.set(link.clientId, [link]);
    else own.push(link);
  }
  return byClient;
}
