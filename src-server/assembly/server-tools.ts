import { join } from 'node:path';
import { parseJsonObject } from '../contract/json-text.ts';
import { createKeyGenerators } from '../core/keys/key-generators.ts';
import { readOwn } from '../domains/import/prepare-import.ts';
import { createImportService } from '../domains/import/service.ts';
import { createBackupService } from '../domains/backup/service.ts';
import { createCertificateStore } from '../domains/certificates/certificate-store.ts';
import { sealKeys } from '../domains/certificates/kept-keys.ts';
import { limitCoreLogs } from '../domains/logs/core-log-files.ts';
import { createLogService } from '../domains/logs/service.ts';
import { createPanelUpdateService } from '../domains/panelUpdate/service.ts';
import { commandUpdater } from '../domains/panelUpdate/updater.ts';
import { createProbe } from '../domains/realityScan/probe.ts';
import { createRealityScanService } from '../domains/realityScan/service.ts';
import { certificateFilesIn } from '../domains/server/certificate-files.ts';
import { inboundTransports } from '../domains/server/repository.ts';
import { createCertificateHashes } from '../domains/server/certificate-hash.ts';
import { coreCommand } from '../domains/server/core-command.ts';
import { PANEL_VERSION } from '../version.ts';
import type { GuardedDialer } from '../net/guarded-dialer.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';

/** What serves the panel itself: backup, import, logs, updates, keys and certificates. */
export async function createServerTools(base: Foundation, { core, dialer, templates }: Engine, fetcher: GuardedDialer) {
  const { options, dataDir, clock, ring, log, store, secrets, schedule, publish, jobs, settings } = base;
  const certificateHashes = createCertificateHashes({
    dialer,
    namedFiles: async () => [
      settings.current().webCertFile,
      settings.current().subCertFile,
      ...(await inboundTransports(store)).flatMap((text) => certificateFilesIn(parseJsonObject(text) ?? {})),
    ],
  });
  const updateCommand = process.env['PANEL_UPDATE_COMMAND'] ?? '';
  const updates = createPanelUpdateService({
    version: PANEL_VERSION,
    releases: process.env['PANEL_RELEASES'] ?? '',
    dialer: fetcher,
    updater: options.updater ?? (updateCommand === '' ? null : commandUpdater(updateCommand, process.env)),
    statusFile: join(dataDir, 'update-status.json'),
    channel: {
      read: async () => (await settings.hidden('devChannelEnable')) === 'true',
      write: (isDev) => settings.setHidden('devChannelEnable', String(isDev)),
    },
    clock,
    log,
  });
  await updates.settle();
  const scanner = createRealityScanService({ probe: createProbe({ dialer }), jobs, log });
  const logDir = join(dataDir, 'logs');
  const logs = createLogService({ ring, template: () => templates.read(), logDir });
  limitCoreLogs({ template: () => templates.read(), logDir, schedule, log });
  const keys = createKeyGenerators({ runCore: coreCommand(core) });
  const files = createCertificateStore(join(dataDir, 'cert'));
  const backups = await createBackupService({
    store,
    sealKeys: (passphrase) => sealKeys(passphrase, { store, secrets, files }),
    clock,
    log,
    publish,
  });
  const imports = createImportService({
    files,
    dataDir,
    backupFolder: store.backupFolder,
    postgresFiles: store.dumpTo === null ? 'none' : 'archives',
    secrets,
    own: () => readOwn(store.reader),
    runningJobs: () => jobs.list().flatMap(({ state, title }) => (state === 'running' ? [title] : [])),
    restartPanel: () => settings.restartPanel(),
    publish,
    clock,
    log,
  });

  return { certificateHashes, updates, scanner, logs, keys, backups, imports };
}
