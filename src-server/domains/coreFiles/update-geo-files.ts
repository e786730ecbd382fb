import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { CoreFiles } from '../../core/binary/core-files.ts';
import type { Patience } from '../../core/binary/releases/download.ts';
import { downloadGeoFile, GEO_FILES } from '../../core/binary/geo-files.ts';
import { DownloadError } from '../../core/binary/releases/guarded-get.ts';
import type { Source } from '../../core/binary/releases/sources.ts';
import type { UpdatedGeoFiles } from './contract.ts';
import type { RunningJob } from './job-port.ts';

const PLAIN_NAME = /^[a-zA-Z0-9._-]+\.dat$/;

/** @throws {DomainError} `coreFiles.unsafeName`, `coreFiles.unknownName` */
export function namesOf(wanted: string): readonly string[] {
  if (wanted === '') return GEO_FILES;
  if (!PLAIN_NAME.test(wanted) || wanted.includes('..')) throw new DomainError('coreFiles.unsafeName');
  if (!GEO_FILES.includes(wanted)) throw new DomainError('coreFiles.unknownName', { name: wanted });
  return [wanted];
}

/**
 * Downloads newer files and replaces all of them at once. A file that cannot be downloaded does not hold the others
 * back.
 * @throws {DomainError} `coreFiles.geoFailed` with one line per failed file, after the others were installed
 */
export async function updateGeoFiles(options: {
  files: CoreFiles;
  names: readonly string[];
  mirror: Source | null;
  job: RunningJob;
  publish: Publish;
  patience: Partial<Patience>;
}): Promise<UpdatedGeoFiles> {
  const { files, names, mirror, job, publish, patience } = options;
  const { signal, report } = job;
  const result: UpdatedGeoFiles = { updated: [], unchanged: [] };
  const failures: string[] = [];
  await files.begin();
  try {
    for (const [index, name] of names.entries()) {
      report({ done: index, total: names.length, stage: name });
      try {
        const isNew = await downloadGeoFile({
          name,
          folder: files.folder,
          part: files.newFile(name),
          mirror,
          signal,
          patience,
        });
        (isNew ? result.updated : result.unchanged).push(name);
      } catch (error) {
        if (!(error instanceof DownloadError)) throw error;
        failures.push(error.message);
      }
      signal.throwIfAborted();
    }
    report({ done: names.length, total: names.length, stage: 'test' });
    // The core reads its lists when it starts: no change, no restart.
    if (result.updated.length > 0) await files.installGeoFiles(result.updated, signal);
  } finally {
    await files.discard();
  }
  if (failures.length > 0) throw new DomainError('coreFiles.geoFailed', { text: failures.join('\r\n') });
  const body = result.updated.length === 0 ? 'They were the newest already.' : result.updated.join(', ');
  publish({ type: 'notification', title: 'Geofile updated successfully', body, severity: 'success' });
  return result;
}
