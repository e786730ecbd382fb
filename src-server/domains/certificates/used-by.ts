import { basename, resolve } from 'node:path';
import { parseJsonObject } from '../../contract/json-text.ts';
import { certificatePairsOf } from '../../core/config/certificate-pairs.ts';
import type { Store } from '../../store/open-store.ts';
import type { Settings } from '../settings/contract.ts';
import type { CertificateUse } from './contract.ts';
import { inboundsNaming } from './repository.ts';

export type ServerFiles = Pick<Settings, 'webCertFile' | 'webKeyFile' | 'subCertFile' | 'subKeyFile'>;

/**
 * Everything that names this file as certificate or key: the panel's own servers, and inbounds of this machine.
 * @param settings in force, and as stored
 * @param folder base folder of relative paths in inbounds
 */
export async function usersOf(
  file: string,
  { store, settings, folder }: { store: Store; settings: readonly ServerFiles[]; folder: string },
): Promise<CertificateUse[]> {
  const isIt = (path: string): boolean => path !== '' && resolve(folder, path) === file;
  const uses: CertificateUse[] = [];
  if (settings.some((each) => isIt(each.webCertFile) || isIt(each.webKeyFile)))
    uses.push({ owner: 'panel', inboundId: 0, name: '' });
  if (settings.some((each) => isIt(each.subCertFile) || isIt(each.subKeyFile)))
    uses.push({ owner: 'subscription', inboundId: 0, name: '' });
  for (const { id, remark, tag, streamSettings } of await inboundsNaming(store.reader, basename(file))) {
    const pairs = certificatePairsOf(parseJsonObject(streamSettings));
    if (pairs.some(({ certificateFile, keyFile }) => isIt(certificateFile) || isIt(keyFile)))
      uses.push({ owner: 'inbound', inboundId: id, name: remark || tag });
  }
  return uses;
}
