import type Database from 'better-sqlite3';
import { keptInbound, type KeptClient, type KeptInbound, type KeptParts } from './kept-parts.ts';

interface InboundRow {
  id: number;
  tag: string;
  remark: string;
  enable: number;
  listen: string;
  port: number;
  protocol: string;
  settings: string;
  streamSettings: string;
  sniffing: string;
  expiresAtMs: number;
  quotaBytes: number;
  upBytes: number;
  downBytes: number;
  trafficReset: string;
  clientCount: number;
}
interface ClientRow {
  id: number;
  email: string;
  subId: string;
  uuid: string;
  password: string;
  auth: string;
  flow: string;
  security: string;
  reverse: string;
  limitIp: number;
  tgId: number;
  groupName: string;
  comment: string;
  enable: number;
  disabledBy: string;
  quotaBytes: number;
  expiresAtMs: number;
  resetDays: number;
  resetDay?: number;
  createdAtMs: number;
  upBytes: number;
  downBytes: number;
}
interface LinkRow {
  tag: string;
  flowOverride: string;
  passwordOverride: string;
}
interface HostRow {
  enable: number;
  sortOrder: number;
  address: string;
  port: number;
  content: string;
}
type FallbackRow = KeptInbound['fallbacks'][number];

/** This panel's databases: clients are rows, not members of inbounds. Inbounds of nodes belong to the nodes. */
export function ownLayout(db: Database.Database): KeptParts {
  const linksOf = db.prepare<[number], LinkRow>(
    `SELECT inbounds.tag, "flowOverride", "passwordOverride"
      FROM "clientInbounds" JOIN inbounds ON inbounds.id = "clientInbounds"."inboundId"
      WHERE "clientInbounds"."clientId" = ? ORDER BY inbounds.id`,
  );
  const externalLinksOf = db.prepare<[number], KeptClient['externalLinks'][number]>(
    'SELECT kind, value, remark FROM "clientExternalLinks" WHERE "clientId" = ? ORDER BY "sortIndex", id',
  );
  const hostsOf = db.prepare<[number], HostRow>('SELECT * FROM hosts WHERE "inboundId" = ? ORDER BY "sortOrder", id');
  const fallbacksOf = db.prepare<[number], FallbackRow>(
    `SELECT coalesce(child.tag, '') AS "childTag", name, alpn, path, dest, xver, "sortOrder"
      FROM "inboundFallbacks" LEFT JOIN inbounds AS child ON child.id = "childId"
      WHERE "masterId" = ? ORDER BY "sortOrder", "inboundFallbacks".id`,
  );
  return {
    inbounds: () =>
      db
        .prepare<[], InboundRow>(
          `SELECT inbounds.*, (SELECT count(*) FROM "clientInbounds" WHERE "inboundId" = inbounds.id) AS "clientCount"
            FROM inbounds WHERE "nodeId" IS NULL ORDER BY id`,
        )
        .all()
        .map((row) => inboundOf(row, { hosts: hostsOf.all(row.id).map(hostOf), fallbacks: fallbacksOf.all(row.id) })),
    *clients() {
      const rows = db.prepare<[], { id: number; email: string; comment: string }>(
        'SELECT id, email, comment FROM clients ORDER BY id',
      );
      for (const { id, email, comment } of rows.iterate()) {
        const tags = linksOf.all(id).map(({ tag }) => tag);
        yield { email, comment, tags };
      }
    },
    client(email) {
      const row = db
        .prepare<[string], ClientRow>(
          `SELECT * FROM clients JOIN "clientStates" ON "clientStates"."clientId" = clients.id WHERE clients.email = ?`,
        )
        .get(email);
      return row === undefined
        ? null
        : { ...clientOf(row, linksOf.all(row.id)), externalLinks: externalLinksOf.all(row.id) };
    },
    emailsOf: (tag) =>
      db
        .prepare<[string], string>(
          `SELECT clients.email FROM clients JOIN "clientInbounds" ON "clientInbounds"."clientId" = clients.id
            JOIN inbounds ON inbounds.id = "clientInbounds"."inboundId" WHERE inbounds.tag = ? ORDER BY clients.id`,
        )
        .pluck()
        .all(tag),
  };
}

function hostOf({ enable, sortOrder, address, port, content }: HostRow): KeptInbound['hosts'][number] {
  const { nodeGuids: _guids, ...changes } = JSON.parse(content) as Record<string, unknown>;
  return { ...changes, enable: enable !== 0, sortOrder, address, port };
}

function inboundOf(row: InboundRow, more: Pick<KeptInbound, 'hosts' | 'fallbacks'>): KeptInbound {
  const { tag, remark, listen, port, protocol, settings, streamSettings, sniffing, trafficReset } = row;
  const [enable, expiryTime, total] = [row.enable !== 0, row.expiresAtMs, row.quotaBytes];
  const [up, down] = [row.upBytes, row.downBytes];
  const given = { tag, remark, enable, listen, port, protocol, settings, streamSettings, sniffing, trafficReset };
  return keptInbound({ ...given, expiryTime, total, up, down }, row.clientCount, more);
}

function clientOf(row: ClientRow, links: readonly LinkRow[]): Omit<KeptClient, 'externalLinks'> {
  // That of the row counts only without an inbound.
  const flow =
    links.length === 0 ? row.flow : (links.find(({ flowOverride }) => flowOverride !== '')?.flowOverride ?? '');
  return {
    client: {
      email: row.email,
      subId: row.subId,
      ...(row.uuid === '' ? {} : { id: row.uuid }),
      password: row.password,
      auth: row.auth,
      flow,
      security: row.security,
      ...(row.reverse === '' ? {} : { reverse: JSON.parse(row.reverse) as unknown }),
      limitIp: row.limitIp,
      tgId: row.tgId,
      group: row.groupName,
      comment: row.comment,
      enable: row.enable !== 0,
      ...(row.disabledBy === 'loop' ? { disabledBy: 'loop' } : {}),
      totalGB: row.quotaBytes,
      expiryTime: row.expiresAtMs,
      reset: row.resetDays,
      // Older backups have none.
      resetDay: row.resetDay ?? 0,
      created_at: row.createdAtMs,
    },
    comment: row.comment,
    tags: links.map(({ tag }) => tag),
    attachments: links
      .filter(({ flowOverride, passwordOverride }) => flowOverride !== flow || passwordOverride !== '')
      .map(({ tag, flowOverride, passwordOverride }) => ({ tag, flow: flowOverride, password: passwordOverride })),
    upBytes: row.upBytes,
    downBytes: row.downBytes,
  };
}
