import type Database from 'better-sqlite3';
import { keptInbound, type KeptClient, type KeptInbound, type KeptParts } from './kept-parts.ts';

type Row = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const int = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0);
const objectIn = (value: unknown): Row => {
  try {
    const read: unknown = JSON.parse(text(value));
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Row) : {};
  } catch {
    return {};
  }
};

/** Databases of other makers of the API: clients are in each inbound's settings, their counters in a table. */
export function otherLayout(db: Database.Database): KeptParts {
  const columns = (db.pragma('table_info(inbounds)') as { name: string }[]).map(({ name }) => name);
  const ofNode = columns.includes('node_id') ? 'WHERE coalesce(node_id, 0) = 0' : '';
  const rows = db.prepare<[], Row>(`SELECT * FROM inbounds ${ofNode} ORDER BY id`).all();
  const byEmail = new Map<string, { entry: Row; tags: string[] }>();
  const emails = new Map<string, string[]>();
  const inbounds = rows.map((row): KeptInbound => {
    const { clients, ...settings } = objectIn(row['settings']);
    const entries = (Array.isArray(clients) ? clients : []).filter(
      (each) => text((each as Row | null)?.['email']) !== '',
    );
    const tag = text(row['tag']);
    emails.set(tag, []);
    for (const entry of entries as Row[]) {
      const email = text(entry['email']);
      const known = byEmail.get(email);
      if (known === undefined) byEmail.set(email, { entry, tags: [tag] });
      // Each protocol has its own kind of credential.
      else byEmail.set(email, { entry: { ...entry, ...known.entry }, tags: [...known.tags, tag] });
      emails.get(tag)!.push(email);
    }
    return inboundOf(row, tag, settings, entries.length);
  });
  const hasTraffics = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'client_traffics'`).get() !== undefined;
  const traffic = (email: string): Row =>
    hasTraffics ? ((db.prepare('SELECT up, down FROM client_traffics WHERE email = ?').get(email) as Row) ?? {}) : {};
  return {
    inbounds: () => inbounds,
    *clients() {
      for (const [email, { entry, tags }] of byEmail) yield { email, comment: text(entry['comment']), tags };
    },
    client(email): KeptClient | null {
      const found = byEmail.get(email);
      if (found === undefined) return null;
      const { up, down } = traffic(email);
      return {
        client: clientOf(found.entry, email),
        comment: text(found.entry['comment']),
        tags: found.tags,
        attachments: [],
        externalLinks: [],
        upBytes: int(up),
        downBytes: int(down),
      };
    },
    emailsOf: (tag) => emails.get(tag) ?? [],
  };
}

function inboundOf(row: Row, tag: string, settings: Row, clientCount: number): KeptInbound {
  const body = {
    tag,
    remark: text(row['remark']),
    enable: int(row['enable']) !== 0,
    listen: text(row['listen']),
    port: int(row['port']),
    protocol: text(row['protocol']),
    settings: JSON.stringify(settings),
    streamSettings: text(row['stream_settings']),
    sniffing: text(row['sniffing']),
    expiryTime: int(row['expiry_time']),
    total: int(row['total']),
    up: int(row['up']),
    down: int(row['down']),
    trafficReset: text(row['traffic_reset']) || 'never',
  };
  return keptInbound(body, clientCount, { hosts: [], fallbacks: [] });
}

function clientOf(entry: Row, email: string): KeptClient['client'] {
  const id = text(entry['id']);
  return {
    email,
    subId: text(entry['subId']),
    ...(id === '' ? {} : { id }),
    password: text(entry['password']),
    auth: text(entry['auth']),
    flow: text(entry['flow']),
    security: text(entry['security']),
    limitIp: int(entry['limitIp']),
    tgId: int(entry['tgId']),
    group: text(entry['group']),
    comment: text(entry['comment']),
    enable: entry['enable'] !== false,
    totalGB: int(entry['totalGB']),
    expiryTime: int(entry['expiryTime']),
    reset: int(entry['reset']),
  };
}
