import { announce } from '../../../contract/announce.ts';
import type { Basics } from '../../basics.ts';
import { actingAs, presentAct } from '../../../acting.ts';
import type { Act } from '../../../contract/act.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Resource } from '../../../contract/events.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { ClientTrafficPort } from '../../clients/traffic-port.ts';
import type { SessionPort } from '../../clients/verbs/session-port.ts';
import { failpoint } from '../../../failpoints/failpoint.ts';
import { deletedClients, renamedClients } from './repository-put-back.ts';
import { createToday, type TodayDeps } from './today.ts';
import { putBack, type PutBack, type PutBackDeps } from './put-back.ts';
import { refusalsOf, type UndoRefusal } from './refusals.ts';
import type { Scope } from './scope.ts';

export interface UndoDeps extends TodayDeps, Pick<Basics, 'store' | 'clock' | 'publish'> {
  runtime: Pick<Runtime, 'stage' | 'apply' | 'testTemplate'>;
  traffic: ClientTrafficPort;
  clients: PutBackDeps['clients'];
  templates: PutBackDeps['templates'];
  renameInSettings: PutBackDeps['renameInSettings'];
  sessions: SessionPort;
  settings: TodayDeps['settings'] & { refresh(): Promise<void> };
}

export interface Undone {
  /** Entry of the undo itself. */
  entryId: number;
  coreError: string;
  nodePending: boolean;
}

/** What belongs to an undo besides its rows. */
interface Beside {
  /** Runs before any other check, and again in the transaction. @throws {DomainError} when it may not be made */
  check?: (db: Db) => Promise<void>;
  /** Runs in the transaction, after the change. */
  more?: (trx: WriteTransaction) => Promise<void>;
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  inbounds: 'inbounds',
  inboundFallbacks: 'inbounds',
  hosts: 'hosts',
  clientGroups: 'groups',
  settings: 'settings',
};

/** Undoes entries: checks first, then changes everything in one transaction, then updates what runs. */
export function createUndo(deps: UndoDeps) {
  const { store, runtime, traffic, sessions, settings, publish, inbounds } = deps;
  const today = createToday(deps);

  /** What currently prevents the undo; checked before it is confirmed, and again when it is made. */
  async function refusals(scope: Scope): Promise<UndoRefusal[]> {
    const found = await refusalsOf(store.heavyReader, scope);
    if (found.length > 0) return found;
    try {
      await today.check(store.heavyReader, scope);
      return [];
    } catch (error) {
      return [today.refusalOf(error)];
    }
  }

  async function run(scope: Scope, { check = async () => {}, more = async () => {} }: Beside) {
    await check(store.reader);
    const [first] = await refusals(scope);
    if (first !== undefined) throw new DomainError(first.code, first.params);
    const names = [
      ...(await deletedClients(store.reader, scope)).map(({ email }) => email),
      ...(await renamedClients(store.reader, scope)).map(({ to }) => to),
    ];
    if (names.length > 0) await traffic.settleSubjects(names);
    return store.write(async (trx) => {
      // Nothing can happen between these checks and the change.
      await check(trx);
      const [now] = await refusalsOf(trx, scope);
      if (now !== undefined) throw new DomainError(now.code, now.params);
      const done = await putBack(trx, scope, deps);
      await more(trx);
      failpoint('change.committing');
      return done;
    });
  }

  async function settle({ change, users, tables }: PutBack, requestId: string): Promise<Omit<Undone, 'entryId'>> {
    if (tables.has('settings')) await settings.refresh();
    const resources = new Set<Resource>(['clients', 'inbounds']);
    for (const table of tables) if (RESOURCES[table] !== undefined) resources.add(RESOURCES[table]);
    if (change.everything === true) resources.add('outbounds');
    announce(publish, [...resources], requestId);
    const { core, nodePending } = await runtime.apply(change);
    let coreError = core.kind === 'failed' ? core.text : '';
    const left = users.leavesSessions;
    if (left.length > 0 && core.kind !== 'notRunning' && core.kind !== 'restarted') {
      try {
        await sessions.end(left, 'cut');
      } catch (error) {
        // The change is made: a core that cannot be restarted does not make it a failure.
        if (!(error instanceof DomainError)) throw error;
        coreError = error.text;
      }
    }
    return { coreError, nodePending };
  }

  return {
    refusals,
    /**
     * Undoes rows of one entry.
     * @param isWhole whether the entry as a whole is undone; otherwise some things that it deleted are restored
     * @throws {DomainError} the first of {@link refusals}
     */
    undo(scope: Scope, isWhole: boolean, beside: Beside = {}): Promise<Undone> {
      return inbounds.alone(async () => {
        const outer = presentAct();
        if (outer === undefined) throw new Error('an undo is always asked for');
        const entries: number[] = [];
        const act: Act = { ...outer, entries, ...(isWhole ? { undoOf: scope.entryId } : {}) };
        const done = await actingAs(act, () => run(scope, beside));
        failpoint('change.committed');
        return { entryId: entries[0] ?? 0, ...(await settle(done, outer.requestId)) };
      });
    },
  };
}
export type Undo = ReturnType<typeof createUndo>;
