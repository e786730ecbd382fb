import type Database from 'better-sqlite3';
import type { BackupContents } from '../../bridge/panel-work.ts';
import { fold } from '../search/key-texts.ts';
import { ownLayout } from './own-layout.ts';
import { otherLayout } from './other-layout.ts';

const MOST_SHOWN = 200;

/** A client as the panel's API takes it, and where it was served. */
export interface KeptClient {
  /** Secrets included. */
  client: Record<string, unknown> & { email: string };
  comment: string;
  tags: string[];
  upBytes: number;
  downBytes: number;
}

/** An inbound as the panel's API takes it, without its clients. */
export interface KeptInbound {
  tag: string;
  name: string;
  protocol: string;
  listen: string;
  port: number;
  clientCount: number;
  /** Secrets included. */
  body: Record<string, unknown>;
}

/** What of a backup can be put back by itself. */
export interface KeptParts {
  inbounds(): KeptInbound[];
  /** E-mails, comments and tags of all clients, one after another. */
  clients(): Iterable<{ email: string; comment: string; tags: string[] }>;
  client(email: string): KeptClient | null;
  /** E-mails of the clients on an inbound. */
  emailsOf(tag: string): string[];
}

/** Reads the parts of a database of this panel, or of other makers of the same API. */
export function partsOf(db: Database.Database): KeptParts {
  const isOwn = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'clientStates'`).get() !== undefined;
  return isOwn ? ownLayout(db) : otherLayout(db);
}

/** What is in it, as far as people choose from it. @param text part of an e-mail or comment; empty = all */
export function contentsOf(parts: KeptParts, text: string): BackupContents {
  const wanted = fold(text.trim());
  const clients: BackupContents['clients'] = [];
  let foundClients = 0;
  for (const { email, comment, tags } of parts.clients()) {
    if (wanted !== '' && !fold(`${email}\n${comment}`).includes(wanted)) continue;
    foundClients += 1;
    if (clients.length < MOST_SHOWN) clients.push({ email, comment, inbounds: tags });
  }
  return {
    inbounds: parts.inbounds().map(({ body: _body, listen: _listen, ...told }) => told),
    clients,
    foundClients,
  };
}
