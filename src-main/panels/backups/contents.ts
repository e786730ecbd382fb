import type Database from 'better-sqlite3';
import type { BackupContents } from '../../bridge/maintenance.ts';
import { fold } from '../search/key-texts.ts';
import type { KeptParts } from './kept-parts.ts';
import { otherLayout } from './other-layout.ts';
import { ownLayout } from './own-layout.ts';

const MAX_SHOWN = 200;

/** Reads the parts of a database of this panel, or of other makers of the same API. */
export function partsOf(db: Database.Database): KeptParts {
  const isOwn = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'clientStates'`).get() !== undefined;
  return isOwn ? ownLayout(db) : otherLayout(db);
}

/** The contents that can be selected. @param text part of an e-mail or comment; empty = all */
export function contentsOf(parts: KeptParts, text: string): BackupContents {
  const wanted = fold(text.trim());
  const clients: BackupContents['clients'] = [];
  let foundClients = 0;
  for (const { email, comment, tags } of parts.clients()) {
    if (wanted !== '' && !fold(`${email}\n${comment}`).includes(wanted)) continue;
    foundClients += 1;
    if (clients.length < MAX_SHOWN) clients.push({ email, comment, inbounds: tags });
  }
  return {
    inbounds: parts
      .inbounds()
      .map(({ tag, name, protocol, port, clientCount }) => ({ tag, name, protocol, port, clientCount })),
    clients,
    foundClients,
  };
}
