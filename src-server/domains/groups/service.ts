import { announce } from '../../contract/announce.ts';
import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import { namedChunks } from '../clients/bulk/email-list.ts';
import { sortedWithoutCase } from '../clients/list/paged-list.ts';
import { renameGroupTotals } from '../traffic/history/repository-totals.ts';
import { MAX_REMEMBERED, type FormerLabels, type Group } from './contract.ts';
import { presentGroup } from './present.ts';
import {
  deleteRow,
  groupExists,
  insertGroup,
  labelClients,
  labelsOf,
  membersAfter,
  memberSums,
  relabel,
  renameInPlans,
  renameRow,
  setBaseline,
  storedGroups,
} from './repository.ts';

export type GroupServiceDeps = Pick<Basics, 'store' | 'clock' | 'publish'>;

interface Relabelled {
  affected: number;
  before?: FormerLabels;
}

/** Members per message between threads. */
const PAGE_ROWS = 5_000;

/** Labels of clients. Groups are not part of any core's config, so nothing here reaches the runtime. */
export function createGroupService({ store, clock, publish }: GroupServiceDeps) {
  async function change<T>(requestId: string, work: (trx: WriteTransaction) => Promise<T>): Promise<T> {
    const result = await store.write(work);
    announce(publish, ['groups', 'clients'], requestId);
    return result;
  }

  function requireName(name: string, code = 'group.nameRequired'): void {
    if (name === '') throw new DomainError(code);
  }

  return {
    async list(): Promise<Group[]> {
      const baselines = new Map((await storedGroups(store.reader)).map((row) => [row.name, row]));
      const sums = new Map((await memberSums(store.heavyReader)).map((row) => [row.name, row]));
      return sortedWithoutCase([...new Set([...baselines.keys(), ...sums.keys()])]).map((name) =>
        presentGroup(
          sums.get(name) ?? { name, clientCount: 0, upBytes: 0, downBytes: 0 },
          baselines.get(name) ?? { upBaselineBytes: 0, downBaselineBytes: 0 },
        ),
      );
    },

    /** E-mails of the members, ascending; none for an unknown group. */
    async emails(name: string): Promise<string[]> {
      const emails: string[] = [];
      for (let afterId = 0; ;) {
        const rows = await membersAfter(store.heavyReader, name, afterId, PAGE_ROWS);
        for (const { email } of rows) emails.push(email);
        if (rows.length < PAGE_ROWS) return emails.sort();
        afterId = rows.at(-1)!.id;
      }
    },

    /** @throws {DomainError} `group.nameRequired`; `group.exists`, also when only clients carry the label. */
    async create(name: string, requestId: string): Promise<{ name: string }> {
      requireName(name);
      return change(requestId, async (trx) => {
        if (await groupExists(trx, name)) throw new DomainError('group.exists');
        await insertGroup(trx, name, clock());
        return { name };
      });
    },

    /**
     * Renames row, members and the group of plans together; the baseline stays.
     * @returns number of members.
     * @throws {DomainError} `group.oldNameRequired`, `group.newNameRequired`, `group.exists`
     */
    async rename(oldName: string, newName: string, requestId: string): Promise<{ affected: number }> {
      requireName(oldName, 'group.oldNameRequired');
      requireName(newName, 'group.newNameRequired');
      if (oldName === newName) return { affected: 0 };
      return change(requestId, async (trx) => {
        if (await groupExists(trx, newName)) throw new DomainError('group.exists');
        await renameRow(trx, oldName, newName, clock());
        await renameGroupTotals(trx, oldName, newName);
        await renameInPlans(trx, oldName, newName, clock());
        return { affected: await relabel(trx, oldName, newName, clock()) };
      });
    },

    /** @returns number of members, which stay. @throws {DomainError} `group.nameRequired` */
    async remove(name: string, requestId: string): Promise<{ affected: number }> {
      requireName(name);
      return change(requestId, async (trx) => {
        await deleteRow(trx, name);
        return { affected: await relabel(trx, name, '', clock()) };
      });
    },

    /**
     * @returns number of clients whose label changed, and on request their previous labels; unknown e-mails are
     * skipped.
     * @throws {DomainError} `group.nameRequired`
     */
    async addMembers(
      emails: readonly string[],
      group: string,
      requestId: string,
      isRemembered = false,
    ): Promise<Relabelled> {
      requireName(group);
      return change(requestId, async (trx) => {
        if (!(await groupExists(trx, group))) await insertGroup(trx, group, clock());
        return label(trx, emails, group, isRemembered);
      });
    },

    /** @returns number of clients that had a label, and on request which. */
    removeMembers(emails: readonly string[], requestId: string, isRemembered = false): Promise<Relabelled> {
      return change(requestId, (trx) => label(trx, emails, '', isRemembered));
    },

    /** Makes the displayed traffic start at 0. @throws {DomainError} `group.nameRequired` */
    async resetTraffic(name: string, requestId: string): Promise<{ name: string }> {
      requireName(name);
      return change(requestId, async (trx) => {
        await setBaseline(trx, name, clock());
        return { name };
      });
    },
  };

  async function label(
    trx: WriteTransaction,
    emails: readonly string[],
    name: string,
    isRemembered: boolean,
  ): Promise<Relabelled> {
    let affected = 0;
    const before = new Map<string, string[]>();
    for (const named of namedChunks(emails)) {
      const keys = named.map(({ key }) => key);
      if (isRemembered && affected <= MAX_REMEMBERED)
        for (const { email, groupName } of await labelsOf(trx, keys, name))
          before.set(groupName, [...(before.get(groupName) ?? []), email]);
      affected += await labelClients(trx, keys, name, clock());
    }
    if (!isRemembered) return { affected };
    const former = affected > MAX_REMEMBERED ? [] : [...before].map(([group, members]) => ({ group, emails: members }));
    return { affected, before: former };
  }
}
export type GroupService = ReturnType<typeof createGroupService>;
