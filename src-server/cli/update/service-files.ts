import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** What the service may request: only a version, nothing that root would open or run. */
const Request = z.object({
  runId: z.string().regex(/^\d{1,30}$/),
  version: z.string().regex(/^(\d+\.\d+\.\d+(-[\w.~]+)?)?$/),
});
export type UpdateRequest = z.infer<typeof Request>;

const MAX_REQUEST_BYTES = 1_024;

/**
 * Files of the service's user in his own folder. Root accesses them as that user: whatever he puts in their place, a
 * link for instance, then opens nothing that he could not open himself.
 */
export function serviceFiles(dataDir: string) {
  const requestFile = join(dataDir, 'update-request.json');
  const statusFile = join(dataDir, 'update-status.json');
  const { uid, gid } = statSync(dataDir);

  function asOwner<T>(work: () => T): T {
    const [root, rootGroup] = [process.geteuid!(), process.getegid!()];
    process.setegid!(gid);
    process.seteuid!(uid);
    try {
      return work();
    } finally {
      process.seteuid!(root);
      process.setegid!(rootGroup);
    }
  }

  return {
    uid,
    gid,
    /**
     * Moved out of the way first: an unreadable request must not start this again and again. Null = no readable
     * request.
     */
    takeRequest: (): UpdateRequest | null =>
      asOwner(() => {
        try {
          const file = openSync(requestFile, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
          rmSync(requestFile);
          const { size } = fstatSync(file);
          const text = size > MAX_REQUEST_BYTES ? '' : readFileSync(file, 'utf8');
          closeSync(file);
          return Request.parse(JSON.parse(text));
        } catch {
          rmSync(requestFile, { recursive: true, force: true });
          return null;
        }
      }),
    /** What the panel shows of the run. */
    writeStatus(runId: string, message: string): void {
      const result = { state: message === '' ? 'success' : 'failed', exitCode: message === '' ? 0 : 1 };
      const finishedAt = Math.floor(Date.now() / 1000);
      asOwner(() => {
        const temp = `${statusFile}.new`;
        rmSync(temp, { force: true });
        const file = openSync(temp, 'wx', 0o600);
        writeFileSync(file, JSON.stringify({ runId, ...result, message: message.slice(0, 4_000), finishedAt }));
        fsyncSync(file);
        closeSync(file);
        renameSync(temp, statusFile);
      });
    },
  };
}
export type ServiceFiles = ReturnType<typeof serviceFiles>;
