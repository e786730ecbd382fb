import { join } from 'node:path';
import * as z from 'zod';
import { systemKeyStore } from '../connections/key-store.ts';
import { createSecretBox } from '../connections/secrets.ts';
import { carryOverConnections, createConnectionStore, SavedConnections } from '../connections/store.ts';
import { openJsonFile } from '../preferences/json-file.ts';
import { FIRST_PREFERENCES, Preferences } from '../preferences/preferences.ts';
import { showDialog } from '../system/show-dialog.ts';
import type { Texts } from '../texts/en.ts';
import { fill } from '../texts/texts.ts';

/** The application's files in this folder: preferences, connections, secrets. Damaged ones begin empty. */
export function openKeptFiles(folder: string) {
  const damaged: string[] = [];
  const kept = { clock: Date.now, onDamaged: (keptAs: string) => damaged.push(keptAs) };
  const preferences = openJsonFile({
    path: join(folder, 'preferences.json'),
    schema: Preferences,
    empty: FIRST_PREFERENCES,
    ...kept,
  });
  const connections = openJsonFile({
    path: join(folder, 'connections.json'),
    schema: SavedConnections,
    empty: { connections: [] },
    carryOver: carryOverConnections,
    ...kept,
  });
  const secrets = openJsonFile({
    path: join(folder, 'secrets.json'),
    schema: z.record(z.string(), z.string()),
    empty: {},
    ...kept,
  });
  return {
    preferences,
    store: createConnectionStore({
      file: connections,
      secrets: createSecretBox(systemKeyStore, secrets),
      clock: Date.now,
    }),
    /** Reports which files were replaced, and under which names their damaged contents are kept. */
    tellDamaged: (texts: Texts): void => {
      if (damaged.length === 0) return;
      const detail = fill(texts.damagedDetail, { folder, names: damaged.join(', ') });
      void showDialog({ message: texts.damaged, detail, buttons: [texts.understood] });
    },
  };
}
