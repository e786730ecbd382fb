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
  quotaBytes: number;
  expiresAtMs: number;
  resetDays: number;
  upBytes: number;
  downBytes: number;
}

/** This panel's databases: clients are rows, not members of inbounds. Inbounds of nodes belong to the nodes. */
export function ownLayout(db: Database.Database): KeptParts {
  const tagsOf = db
    .prepare<[number], string>(
      `SELECT inbounds.tag FROM "clientInbounds" JOIN inbounds ON inbounds.id = "clientInbounds"."inboundId"
        WHERE "clientInbounds"."clientId" = ? ORDER BY inbounds.id`,
    )
    .pluck();
  return {
    inbounds: () =>
      db
        .prepare<[], InboundRow>(
          `SELECT inbounds.*, (SELECT count(*) FROM "clientInbounds" WHERE "inboundId" = inbounds.id) AS "clientCount"
            FROM inbounds WHERE "nodeId" IS NULL ORDER BY id`,
        )
        .all()
        .map(inboundOf),
    *clients() {
      const rows = db.prepare<[], { id: number; email: string; comment: string }>(
        'SELECT id, email, comment FROM clients ORDER BY id',
      );
      for (const { id, email, comment } of rows.iterate()) yield { email, comment, tags: tagsOf.all(id) };
    },
    client(email) {
      const row = db
        .prepare<[string], ClientRow>(
          `SELECT * FROM clients JOIN "clientStates" ON "clientStates"."clientId" = clients.id WHERE clients.email = ?`,
        )
        .get(email);
      return row === undefined ? null : clientOf(row, tagsOf.all(row.id));
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

function inboundOf(row: InboundRow): KeptInbound {
  const { tag, remark, listen, port, protocol, settings, streamSettings, sniffing, trafficReset } = row;
  const [enable, expiryTime, total] = [row.enable !== 0, row.expiresAtMs, row.quotaBytes];
  const given = { tag, remark, enable, listen, port, protocol, settings, streamSettings, sniffing, trafficReset };
  return keptInbound({ ...given, expiryTime, total }, row.clientCount);
}

function clientOf(row: ClientRow, tags: string[]): KeptClient {
  return {
    client: {
      email: row.email,
      subId: row.subId,
      ...(row.uuid === '' ? {} : { id: row.uuid }),
      password: row.password,
      auth: row.auth,
      flow: row.flow,
      security: row.security,
      limitIp: row.limitIp,
      tgId: row.tgId,
      group: row.groupName,
      comment: row.comment,
      enable: row.enable !== 0,
      totalGB: row.quotaBytes,
      expiryTime: row.expiresAtMs,
      reset: row.resetDays,
    },
    comment: row.comment,
    tags,
    upBytes: row.upBytes,
    downBytes: row.downBytes,
  };
}
