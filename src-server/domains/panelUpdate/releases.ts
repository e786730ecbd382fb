import * as z from 'zod';
import { DomainError } from '../../contract/domain-error.ts';
import { DialError } from '../../net/dial-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Updater } from './updater.ts';
import { commitOf, isNewer, isSameCommit } from './versions.ts';

const RESPONSE_TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

const Release = z.object({
  tag_name: z.string(),
  body: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  target_commitish: z.string().catch(''),
});

export interface ReleasesDeps {
  /** `1.2.3`, or `dev+<commit>` for a development build. */
  version: string;
  /** Root of the release API, like GitHub's for a repository; empty = unknown. */
  releases: string;
  dialer: Pick<GuardedDialer, 'fetch'>;
  updater: Updater | null;
  /** Whether development builds are chosen. */
  channel: { read(): Promise<boolean> };
}

/** Compares this version with the latest release of the chosen channel. */
export function createReleases({ version, releases, dialer, updater, channel }: ReleasesDeps) {
  const ownCommit = /^dev\+([0-9a-f]{7,40})$/.exec(version)?.[1] ?? '';

  async function fetchRelease(isDev: boolean): Promise<z.infer<typeof Release>> {
    if (releases === '') throw new DomainError('panelUpdate.unknown');
    try {
      const { status, body } = await dialer.fetch(
        `${releases}/${isDev ? 'releases/tags/dev-latest' : 'releases/latest'}`,
        {
          headers: { accept: 'application/vnd.github+json', 'user-agent': 'switchyard' },
          maxBytes: MAX_BYTES,
          timeoutMs: RESPONSE_TIMEOUT_MS,
        },
      );
      if (status !== 200) throw new DomainError('panelUpdate.unknown');
      return Release.parse(JSON.parse(body.toString('utf8')));
    } catch (error) {
      if (!(error instanceof DialError || error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
      throw new DomainError('panelUpdate.unknown', {}, { cause: error });
    }
  }

  /** @throws {DomainError} `panelUpdate.unknown`, without a text */
  async function info() {
    const isDev = ownCommit !== '' && (await channel.read());
    const release = await fetchRelease(isDev);
    const canUpdate = updater !== null;
    if (!isDev) {
      const updateAvailable = isNewer(release.tag_name, version);
      const found = { currentVersion: version, latestVersion: release.tag_name, updateAvailable, canUpdate };
      return { channel: 'stable' as const, ...found };
    }
    const latest = commitOf(release);
    return {
      channel: 'dev' as const,
      currentVersion: `dev+${ownCommit.slice(0, 8)}`,
      latestVersion: `dev+${latest.slice(0, 8)}`,
      currentCommit: ownCommit.slice(0, 8),
      latestCommit: latest.slice(0, 8),
      updateAvailable: latest !== '' && !isSameCommit(latest, ownCommit),
      canUpdate,
    };
  }

  /** Expected version, as far as it is known. */
  const targetOf = (): Promise<string> =>
    info().then(
      ({ latestVersion, updateAvailable }) => (updateAvailable ? latestVersion.replace(/^v/, '') : ''),
      (error: unknown) => {
        if (error instanceof DomainError) return '';
        throw error;
      },
    );

  return { info, targetOf };
}
