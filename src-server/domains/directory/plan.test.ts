import { describe, expect, test } from 'vitest';
import { foldText } from '../../store/fold-text.ts';
import { planChanges } from './plan.ts';
import type { ConcernedClient } from './repository.ts';

const RULES = { createsClients: true, detachesClients: true, fingerprint: 'f' };
const client = (email: string, more: Partial<ConcernedClient> = {}): ConcernedClient => ({
  email,
  emailKey: foldText(email),
  enable: 1,
  disabledBy: '',
  isManaged: 1,
  ...more,
});
const entry = (isAllowed: boolean, ...names: string[]) => ({ names, isAllowed });
const found = (...entries: ReturnType<typeof entry>[]) => ({ entries, notText: [] as string[] });
const NOTHING = { create: [], attach: [], enable: [], disable: [], detach: [], leftOut: [] };

describe('a plan', () => {
  test('a new person is created, a known one follows the flag, a missing one leaves', () => {
    const clients = [client('on'), client('off', { enable: 0, disabledBy: 'admin' }), client('banned'), client('gone')];
    const people = found(
      entry(true, 'new'),
      entry(true, 'on'),
      entry(true, 'off'),
      entry(false, 'banned'),
      entry(false, 'x'),
    );
    expect(planChanges(people, clients, RULES)).toMatchObject({
      ...NOTHING,
      create: ['new'],
      enable: ['off'],
      disable: ['banned'],
      detach: ['gone'],
    });
    expect(planChanges(people, clients, { ...RULES, createsClients: false, detachesClients: false })).toMatchObject({
      ...NOTHING,
      enable: ['off'],
      disable: ['banned'],
    });
  });

  test('clients disabled by quota or expiry are left alone', () => {
    const spent = [client('a', { enable: 0, disabledBy: 'loop' }), client('b', { enable: 0, disabledBy: 'loop' })];
    expect(planChanges(found(entry(true, 'a'), entry(false, 'b')), spent, RULES)).toMatchObject(NOTHING);
  });

  test('a client that left is attached to the inbounds again', () => {
    const away = [client('a', { isManaged: 0 }), client('b', { isManaged: 0 })];
    expect(planChanges(found(entry(true, 'a'), entry(false, 'b')), away, RULES)).toMatchObject({
      ...NOTHING,
      attach: ['a'],
      disable: ['b'],
    });
  });

  test('a person with several names is one client, known by any of them', () => {
    const people = found(entry(true, 'Old@example.org', 'new@example.org'));
    expect(planChanges(people, [client('NEW@example.org')], RULES)).toMatchObject(NOTHING);
    expect(planChanges(people, [], RULES)).toMatchObject({ ...NOTHING, create: ['Old@example.org'] });
  });

  test('two entries with one name that disagree change nothing', () => {
    const people = found(entry(true, 'a'), entry(false, 'A'));
    const leftOut = [{ name: 'a', why: 'disagree' }];
    expect(planChanges(people, [client('a')], RULES)).toMatchObject({ ...NOTHING, leftOut });
    expect(planChanges(people, [], RULES)).toMatchObject({ ...NOTHING, leftOut });
  });

  test('names that no client can have create none', () => {
    const names = ['a\0b', 'a/b', 'a>>>b', 'a b', 'a\u202eb', 'x'.repeat(256)];
    const plan = planChanges({ ...found(...names.map((name) => entry(true, name))), notText: ['uid=z'] }, [], RULES);
    expect(plan.create).toEqual([]);
    expect(plan.leftOut).toEqual([
      { name: 'uid=z', why: 'notText' },
      ...names.map((name) => ({ name, why: 'unusable' })),
    ]);
  });

  test('its id identifies exactly these changes', () => {
    const idOf = (...args: Parameters<typeof planChanges>) => planChanges(...args).id;
    const id = idOf(found(entry(true, 'a'), entry(true, 'b')), [], RULES);
    expect(idOf(found(entry(true, 'b'), entry(true, 'a')), [], RULES)).toBe(id);
    expect(idOf(found(entry(true, 'a'), entry(true, 'c')), [], RULES)).not.toBe(id);
    expect(idOf(found(entry(true, 'a'), entry(true, 'b')), [], { ...RULES, fingerprint: 'g' })).not.toBe(id);
  });
});
