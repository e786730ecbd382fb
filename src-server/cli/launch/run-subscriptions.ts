import {
  createSubscriptionServer,
  type SubscriptionServer,
} from '../../assembly/several-servers/subscription-server.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { createSay } from '../../http/texts.ts';
import { createLogger } from '../../logging/create-logger.ts';
import type { Store } from '../../store/open-store.ts';
import { openReading } from '../../store/postgres/open-reading.ts';
import { writeBeside } from '../../store/postgres/write-beside.ts';
import { KEY_FILE, peekSecrets } from '../../store/secrets/secret-key.ts';
import { ENGLISH } from '../../texts.ts';
import { databaseFrom, poolerFrom, replicaFrom } from '../database-address.ts';
import { toOverrides, type ServerFlags } from '../flags.ts';
import { GIVE_UP_EXIT_CODE } from './exit-codes.ts';
import { notifyServiceManager } from './service-manager.ts';
import { onStopRequest } from './stop-request.ts';

const say = createSay(ENGLISH);

const COMPLAINTS = {
  noKey: (folder: string) =>
    `The addresses at which clients stop e-mails are answered with 503 here: copy ${KEY_FILE} from the data folder of the panel into ${folder}.`,
  noCertificate: () =>
    'The certificate of the settings cannot be used here, so that only this machine is answered: copy its files to the same place as on the panel.',
};

/**
 * One run of the subscription server alone: nothing is locked, and nothing is written into the data folder.
 * @throws {DomainError} `store.roleNeedsServer`, `store.schemaDiffers`, and as the database is opened
 */
export async function serveSubscriptions(flags: ServerFlags): Promise<void> {
  // A pooler serves as well as the server itself.
  const primary = (await poolerFrom(flags.database)) ?? (await databaseFrom(flags.database));
  const replica = await replicaFrom();
  const url = replica ?? primary;
  if (url === null) throw new DomainError('store.roleNeedsServer');
  const log = createLogger({ level: flags.logLevel, clock: Date.now, dataDir: null, stream: process.stderr });
  let look = (): void => undefined;
  let server: SubscriptionServer | null = null;
  let reading: Store | null = null;
  let isEnding = false;
  const end = async (exitCode: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await server?.close().catch((error: unknown) => log.error('sub.stopFailed', { error }));
    await Promise.all([noting?.close(), reading?.close()]);
    process.exit(exitCode);
  };
  const noting = primary === null ? null : writeBeside({ url: primary, log });
  reading = await openReading({
    url,
    role: 'reader',
    backupFolder: flags.dataDir,
    clock: Date.now,
    log,
    mayWrite() {
      throw new Error('a subscription server writes to the primary');
    },
    onCommit: () => look(),
    onLost(reason) {
      const moved = reason === 'store.newerVersion' || reason === 'store.otherVersion';
      process.stderr.write(`The subscription server ends: ${say(moved ? 'store.schemaMoved' : reason, {})}\n`);
      void end(GIVE_UP_EXIT_CODE);
    },
  }).catch((error: unknown) => {
    const isOther = error instanceof DomainError && /^store\.(?:newer|other)Version$/.test(error.code);
    throw isOther ? new DomainError('store.schemaDiffers', error.params, { cause: error }) : error;
  });
  server = await createSubscriptionServer({
    reading,
    noting,
    secrets: await peekSecrets(flags.dataDir),
    overrides: toOverrides(flags),
    onCommit: (refresh) => (look = refresh),
    clock: Date.now,
    log,
  });
  for (const complaint of server.complaints) process.stderr.write(`${COMPLAINTS[complaint](flags.dataDir)}\n`);
  process.on('uncaughtException', (error) => {
    log.error('sub.bug', { error });
    void end(1);
  });
  onStopRequest(() => void end(0));
  notifyServiceManager();
  process.stdout.write(`${JSON.stringify({ ready: true, panel: '', sub: server.url, pid: process.pid })}\n`);
}
