import { join } from 'node:path';
import * as z from 'zod';
import { PassphraseBox } from '../../lock/passphrase.ts';
import {
  BackupsChoicesInput,
  FIRST_BACKUPS,
  FIRST_REACHABILITY,
  ReachabilityChoicesInput,
} from '../../panels/maintenance/maintenance-choices.ts';
import { openJsonFile } from '../../preferences/json-file.ts';

/** The choices for backups and for trials, and the key of the backups, in this folder. Damaged files begin empty. */
export function openMaintenanceFiles(folder: string) {
  const quietly = { clock: Date.now, onDamaged: () => undefined };
  const backupsFile = openJsonFile({
    path: join(folder, 'backups.json'),
    schema: BackupsChoicesInput,
    empty: FIRST_BACKUPS,
    ...quietly,
  });
  const reachabilityFile = openJsonFile({
    path: join(folder, 'vantage.json'),
    schema: ReachabilityChoicesInput,
    empty: FIRST_REACHABILITY,
    ...quietly,
  });
  const keyFile = openJsonFile({
    path: join(folder, 'backups-key.json'),
    schema: z.object({ recipient: z.string(), sealed: z.string(), box: PassphraseBox.nullable() }),
    empty: { recipient: '', sealed: '', box: null },
    ...quietly,
  });
  return { backupsFile, reachabilityFile, keyFile };
}
export type MaintenanceFiles = ReturnType<typeof openMaintenanceFiles>;
