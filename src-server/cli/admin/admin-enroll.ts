import { hostname } from 'node:os';
import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError } from '../../contract/envelope.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import { enrol } from '../../domains/nodes/masters/enrol.ts';
import { allMasters, deleteMaster, moveMaster } from '../../domains/nodes/masters/repository.ts';
import { createHiddenSettings } from '../../domains/settings/hidden-settings.ts';
import { readRows } from '../../domains/settings/repository.ts';
import { fromStored, SETTING_KEYS } from '../../domains/settings/stored-values.ts';
import { normaliseBasePath } from '../../http/base-path.ts';
import { createSay } from '../../http/texts.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { Moved } from '../../net/trunk/messages.ts';
import { readTicket } from '../../net/trunk/ticket.ts';
import { createScheduler } from '../../schedule/scheduler.ts';
import type { Store } from '../../store/open-store.ts';
import { openSecrets } from '../../store/secrets/secret-key.ts';
import { ENGLISH } from '../../texts.ts';
import { PANEL_VERSION } from '../../version.ts';
import type { CommandDeps } from './command-deps.ts';

export interface EnrolCommandDeps extends CommandDeps {
  isPanelRunning: boolean;
}

/**
 * `enroll TICKET`: makes this panel a node of the one that issued the ticket.
 * @returns what goes to stdout
 * @throws {DomainError} `enrolment.*`
 */
export async function enrolCommand(deps: EnrolCommandDeps, text: string): Promise<string> {
  const { store, dataDir, log, say } = deps;
  const ticket = readTicket(text);
  if (ticket === null) throw new DomainError('enrolment.unreadable');
  const secrets = await openSecrets({ dataDir, log, clock: Date.now });
  const { settings } = fromStored(await readRows(store.reader, SETTING_KEYS), secrets);
  const english = createSay(ENGLISH);
  const schedule = createScheduler({ clock: Date.now, log });
  try {
    const { name, master } = await enrol(ticket, {
      store,
      secrets,
      dialer: createGuardedDialer({ log }),
      schedule,
      clock: Date.now,
      warn: ({ code, params }) => say(english(code, params)),
      self: {
        guid: await createHiddenSettings(store, secrets).hidden('panelGuid'),
        hostName: hostname(),
        panelVersion: PANEL_VERSION,
        scheme: settings.webCertFile === '' ? 'http' : 'https',
        port: settings.webPort,
        basePath: normaliseBasePath(settings.webBasePath),
      },
    });
    const next = deps.isPanelRunning ? 'It connects within seconds.' : 'It connects as soon as the panel is started.';
    return `This panel is node ${name} of ${master} now. ${next}\n`;
  } finally {
    await schedule.close();
  }
}

/** `master list`, `master remove MASTER`, `master move MASTER URL`, by name or id. @returns what goes to stdout; null when the command is not one of these */
export async function masterCommand(store: Store, verb: string, args: readonly string[]): Promise<string | null> {
  const all = await allMasters(store.reader);
  if (verb === 'list' && args.length === 0)
    return all
      .map(({ trunkId, name, url, enrolledAtMs }) => `${JSON.stringify({ id: trunkId, name, url, enrolledAtMs })}\n`)
      .join('');
  const [, url] = args;
  if (!(verb === 'remove' && args.length === 1) && !(verb === 'move' && url !== undefined && args.length === 2))
    return null;
  const found = all.filter(({ trunkId, name }) => trunkId === args[0] || name === args[0]);
  if (found.length === 0) throw new DomainError('enrolment.noSuchMaster');
  if (url !== undefined) {
    const { url: base } = movedTo(url);
    for (const row of found) await store.write((trx) => moveMaster(trx, row, base));
    return '';
  }
  for (const { trunkId } of found) await store.write((trx) => deleteMaster(trx, trunkId));
  return '';
}

/** @throws {ValidationError} when it is not a web address */
function movedTo(url: string): { url: string } {
  const parsed = Moved.safeParse({ url: url.endsWith('/') ? url : `${url}/` }, { reportInput: true });
  if (!parsed.success) throw new ValidationError(toValidationIssues(parsed.error));
  return parsed.data;
}
