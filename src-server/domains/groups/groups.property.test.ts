import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { forAllTests } from '../../testing/for-each-test.ts';
import { startClientPanel } from '../../testing/panels/client-panel.ts';
import type { Group } from './contract.ts';

/** Runs random operations on clients and groups, and compares them with a model of what the groups have to show. */
type Step =
  | { do: 'move'; who: number; up: number; down: number }
  | { do: 'resetMember' | 'delete' | 'create'; who: number; group: number }
  | { do: 'label'; who: number[]; group: number }
  | { do: 'unlabel'; who: number[] }
  | { do: 'rename'; group: number; to: number }
  | { do: 'resetGroup' | 'deleteGroup' | 'createGroup'; group: number }
  | { do: 'resetAll' };

const NAMES = ['a', 'A', 'b/c', 'ж %'];
const who = fc.integer({ min: 0, max: 4 });
const group = fc.integer({ min: 0, max: NAMES.length - 1 });
const bytes = fc.integer({ min: 0, max: 1_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), who, up: bytes, down: bytes }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('resetMember' as const, 'delete', 'create'), who, group }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('label' as const), who: fc.array(who, { maxLength: 4 }), group }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unlabel' as const), who: fc.array(who, { maxLength: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), group, to: group }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('resetGroup' as const, 'deleteGroup', 'createGroup'), group }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'resetAll' }) },
);

let inboundId: number;
let round = 0;
const panel = forAllTests(startClientPanel);
beforeAll(async () => {
  inboundId = await panel.inbound();
});

interface Member {
  group: string;
  up: number;
  down: number;
}

class History {
  readonly #prefix = `r${round++}-`;
  readonly #members = new Map<string, Member>();
  /** Baselines of the stored groups. */
  readonly #stored = new Map<string, { up: number; down: number }>();

  readonly #email = (index: number): string => `${this.#prefix}${index}`;
  readonly #name = (index: number): string => `${this.#prefix}${NAMES[index]!}`;
  readonly #membersOf = (name: string): Member[] => [...this.#members.values()].filter((each) => each.group === name);
  readonly #exists = (name: string): boolean => this.#stored.has(name) || this.#membersOf(name).length > 0;

  /** The member's traffic still counts for its group. */
  #keep({ group: name, up, down }: Member): void {
    if (name === '' || up + down === 0) return;
    const { up: upBefore, down: downBefore } = this.#stored.get(name) ?? { up: 0, down: 0 };
    this.#stored.set(name, { up: upBefore - up, down: downBefore - down });
  }

  async apply(action: Step): Promise<void> {
    const post = async (call: string, body: object = {}) => panel.post(call, body);
    switch (action.do) {
      case 'create': {
        const email = this.#email(action.who);
        if (this.#members.has(email)) return;
        await panel.add({ email, group: this.#name(action.group) }, [inboundId]);
        this.#members.set(email, { group: this.#name(action.group), up: 0, down: 0 });
        return;
      }
      case 'move': {
        const member = this.#members.get(this.#email(action.who));
        if (member === undefined) return;
        member.up += action.up;
        member.down += action.down;
        return panel.setState(this.#email(action.who), { upBytes: member.up, downBytes: member.down });
      }
      case 'resetMember':
      case 'delete': {
        const email = this.#email(action.who);
        const member = this.#members.get(email);
        const { success } = await post(action.do === 'delete' ? `/del/${email}` : `/resetTraffic/${email}`);
        expect(success).toBe(member !== undefined);
        if (member === undefined) return;
        this.#keep(member);
        if (action.do === 'delete') this.#members.delete(email);
        else Object.assign(member, { up: 0, down: 0 });
        return;
      }
      case 'resetAll':
        await panel.ok(post('/resetAllTraffics'));
        for (const member of this.#members.values()) {
          this.#keep(member);
          Object.assign(member, { up: 0, down: 0 });
        }
        return;
      case 'label':
      case 'unlabel': {
        const name = action.do === 'label' ? this.#name(action.group) : '';
        const emails = [...new Set(action.who)].map(this.#email);
        const moved = emails.flatMap((email) => this.#members.get(email) ?? []).filter((each) => each.group !== name);
        if (name !== '' && !this.#exists(name)) this.#stored.set(name, { up: 0, down: 0 });
        for (const member of moved) member.group = name;
        const call = action.do === 'label' ? '/groups/bulkAdd' : '/groups/bulkRemove';
        expect(await panel.ok(post(call, { emails, group: name }))).toEqual({ affected: moved.length });
        return;
      }
      case 'rename': {
        const [oldName, newName] = [this.#name(action.group), this.#name(action.to)];
        const members = this.#membersOf(oldName);
        const isTaken = oldName !== newName && this.#exists(newName);
        const { success, obj } = await post('/groups/rename', { oldName, newName });
        expect(success).toBe(!isTaken);
        if (isTaken) return;
        expect(obj).toEqual({ affected: oldName === newName ? 0 : members.length });
        const baseline = this.#stored.get(oldName);
        this.#stored.delete(oldName);
        if (baseline !== undefined) this.#stored.set(newName, baseline);
        for (const member of members) member.group = newName;
        return;
      }
      case 'deleteGroup': {
        const name = this.#name(action.group);
        const members = this.#membersOf(name);
        expect(await panel.ok(post('/groups/delete', { name }))).toEqual({ affected: members.length });
        this.#stored.delete(name);
        for (const member of members) member.group = '';
        return;
      }
      case 'createGroup': {
        const name = this.#name(action.group);
        const { success } = await post('/groups/create', { name });
        expect(success).toBe(!this.#exists(name));
        if (success) this.#stored.set(name, { up: 0, down: 0 });
        return;
      }
      case 'resetGroup': {
        const name = this.#name(action.group);
        expect(await panel.ok(post('/groups/resetTraffic', { name }))).toEqual({ name });
        this.#stored.set(name, this.#sumOf(name));
      }
    }
  }

  #sumOf(name: string): { up: number; down: number } {
    const members = this.#membersOf(name);
    const sum = (key: 'up' | 'down') => members.reduce((total, member) => total + member[key], 0);
    return { up: sum('up'), down: sum('down') };
  }

  /** What the list has to show at any time. */
  async check(): Promise<void> {
    const shown = (await panel.ok<Group[]>(panel.get('/groups'))).filter(({ name }) => name.startsWith(this.#prefix));
    const expected = NAMES.map((_, index) => this.#name(index))
      .filter(this.#exists)
      .map((name) => {
        const sum = this.#sumOf(name);
        const baseline = this.#stored.get(name) ?? { up: 0, down: 0 };
        const up = Math.max(0, sum.up - baseline.up);
        const down = Math.max(0, sum.down - baseline.down);
        return { name, clientCount: this.#membersOf(name).length, trafficUsed: up + down, up, down };
      });
    expect(shown.toSorted((x, y) => (x.name < y.name ? -1 : 1))).toEqual(
      expected.toSorted((x, y) => (x.name < y.name ? -1 : 1)),
    );
    for (const { name, clientCount } of expected)
      expect(await panel.ok(panel.get(`/groups/${encodeURIComponent(name)}/emails`))).toHaveLength(clientCount);
  }

  /** Leaves nothing behind for the next run. */
  async clear(): Promise<void> {
    await panel.ok(panel.post('/bulkDel', { emails: [...this.#members.keys()] }));
  }
}

test('counts and displayed traffic of groups are right after every operation, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const history = new History();
      for (const index of [0, 1, 2]) await history.apply({ do: 'create', who: index, group: index % 2 });
      for (const action of steps) {
        await history.apply(action);
        await history.check();
      }
      await history.clear();
    }),
    { numRuns: 20 },
  );
  expect(panel.runtime.restarts).toEqual([]);
});
