import { join } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { CoreFiles } from '../../core/binary/core-files.ts';
import type { Patience } from '../../core/binary/releases/download.ts';
import { fetchRelease } from '../../core/binary/releases/fetch-release.ts';
import { DownloadError } from '../../core/binary/releases/guarded-get.ts';
import { InstallError } from '../../core/binary/install.ts';
import type { Release, ReleaseList } from '../../core/binary/releases/release-list.ts';
import type { DownloadSources } from '../../core/binary/releases/sources.ts';
import type { GeoFile, InstalledCore } from './contract.ts';
import { createGeoLists } from './geo-lists.ts';
import type { JobPort, RunningJob } from './job-port.ts';
import { namesOf, updateGeoFiles } from './update-geo-files.ts';

export interface CoreFilesServiceDeps {
  files: CoreFiles;
  sources: DownloadSources;
  releases: ReleaseList;
  jobs: JobPort;
  publish: Publish;
  /** Limits of downloads; each download has its own default. */
  patience?: Partial<Patience>;
}
export type CoreFilesService = ReturnType<typeof createCoreFilesService>;

type Work = 'install' | 'geo';
const BUSY: Readonly<Record<Work, string>> = { install: 'coreFiles.installRunning', geo: 'coreFiles.geoRunning' };

/** Versions of the core and its geo files. One operation at a time: both replace files of one folder. */
export function createCoreFilesService(deps: CoreFilesServiceDeps) {
  const { files, sources, releases, jobs, publish, patience = {} } = deps;
  const geoLists = createGeoLists();
  let running: Work | null = null;

  /** Holds the lock from the request to the end of its job. */
  async function alone<T>(work: Work, prepare: () => Promise<T>, title: (prepared: T) => string, run: Run<T>) {
    if (running !== null) throw new DomainError(BUSY[running]);
    running = work;
    try {
      const prepared = await prepare();
      const { id } = jobs.start({
        kind: work === 'install' ? 'installCore' : 'updateGeoFiles',
        title: title(prepared),
        run: (job) => run(prepared, job).finally(() => void (running = null)),
      });
      return { jobId: id };
    } catch (error) {
      running = null;
      throw error;
    }
  }

  async function install(version: string, { signal, report }: RunningJob): Promise<InstalledCore> {
    try {
      const work = await files.begin();
      const release = await fetchRelease({
        source: sources.releases,
        version,
        part: join(work, 'release.part'),
        signal,
        patience,
        onProgress: (done, total) => report({ done, total, stage: 'download' }),
      });
      report({ done: 1, total: 1, stage: 'test' });
      await files.installExecutable(release, version, signal);
    } catch (error) {
      throw asDomainError(error, signal);
    } finally {
      await files.discard();
    }
    publish({ type: 'notification', title: `Core v${version} installed`, body: '', severity: 'success' });
    return { version };
  }

  return {
    /** @throws {DomainError} `coreFiles.listFailed` when no list is available */
    versions: async (): Promise<string[]> => (await listed(releases, false)).map(({ tag }) => tag),

    /** Without its `v`. @throws {DomainError} `coreFiles.listFailed` when no list is available */
    latestVersion: async (): Promise<string> => versionOf('latest', await listed(releases, false)),

    /**
     * @param wanted a tag of the list, with or without its `v`, or `latest`
     * @throws {DomainError} `coreFiles.unknownVersion`, `coreFiles.installRunning`, `coreFiles.geoRunning`,
     * `coreFiles.named`, `coreFiles.listFailed`
     */
    install: (wanted: string): Promise<{ jobId: string }> =>
      alone(
        'install',
        async () => {
          files.requireOwnExecutable();
          return versionOf(wanted, await listed(releases, true));
        },
        (version) => `Core v${version}`,
        install,
      ),

    /**
     * @param wanted one name; empty = all known files
     * @throws {DomainError} `coreFiles.unsafeName`, `coreFiles.unknownName`, `coreFiles.installRunning`, `coreFiles.geoRunning`
     */
    updateGeoFiles: (wanted: string): Promise<{ jobId: string }> =>
      alone(
        'geo',
        async () => namesOf(wanted),
        (names) => names.join(', '),
        (names, job) =>
          updateGeoFiles({ files, names, mirror: sources.geoMirror, job, publish, patience }).catch(
            (error: unknown) => {
              throw asDomainError(error, job.signal);
            },
          ),
      ),

    geoFiles: (): Promise<GeoFile[]> => geoLists.read(files.folder),

    /** Whether files are being replaced, so that an import or an update of the panel has to wait. */
    isBusy: (): boolean => running !== null,
  };
}

type Run<T> = (prepared: T, job: RunningJob) => Promise<unknown>;

async function listed(releases: ReleaseList, isFresh: boolean): Promise<Release[]> {
  try {
    return await releases.read(isFresh);
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    throw new DomainError('coreFiles.listFailed', { text: error.message }, { cause: error });
  }
}

/** Without the leading `v`. Most releases are marked as previews; the newest of all is used when no other is listed. */
function versionOf(wanted: string, releases: readonly Release[]): string {
  const release =
    wanted === 'latest'
      ? (releases.find(({ isPrerelease }) => !isPrerelease) ?? releases[0])
      : releases.find(({ tag }) => tag === wanted || tag === `v${wanted}`);
  if (release === undefined) throw new DomainError('coreFiles.unknownVersion', { version: wanted });
  return release.tag.replace(/^v/, '');
}

function asDomainError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return new DomainError('coreFiles.diskFull', {}, { cause: error });
  if (error instanceof DownloadError || error instanceof InstallError)
    return new DomainError('coreFiles.downloadFailed', { text: error.message }, { cause: error });
  return error;
}
