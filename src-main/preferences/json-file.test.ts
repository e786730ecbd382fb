import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { testFolder } from '../../src-server/testing/for-each-test.ts';
import { openJsonFile, type JsonFile } from './json-file.ts';
import { FIRST_PREFERENCES, Preferences } from './preferences.ts';

let folder: string;
let kept: string[];
beforeEach(async () => {
  folder = await testFolder();
  kept = [];
});

const at = (name: string): string => join(folder, name);
const Colours = z.object({ colours: z.array(z.string()) });
const open = (): JsonFile<z.output<typeof Colours>> =>
  openJsonFile({
    path: at('colours.json'),
    schema: Colours,
    empty: { colours: [] },
    carryOver: (written) => (Array.isArray(written) ? { colours: written } : written),
    onDamaged: (name) => kept.push(name),
    clock: () => Date.UTC(2026, 10, 21, 9, 30),
  });
const openPreferences = (): JsonFile<Preferences> =>
  openJsonFile({
    path: at('preferences.json'),
    schema: Preferences,
    empty: FIRST_PREFERENCES,
    onDamaged: (name) => kept.push(name),
    clock: Date.now,
  });

it('stores data, readable by the owner only, and leaves nothing beside it', async () => {
  expect(open().read()).toEqual({ colours: [] });
  await open().write({ colours: ['teal'] });
  expect(open().read()).toEqual({ colours: ['teal'] });
  expect((await stat(at('colours.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['colours.json']);
});

it('removed members are gone', async () => {
  const file = openJsonFile({
    path: at('sealed.json'),
    schema: z.record(z.string(), z.string()),
    empty: {},
    onDamaged: (name) => kept.push(name),
    clock: Date.now,
  });
  await file.write({ 'a.b': 'one', c: 'two' });
  await file.write({ 'a.b': 'one' });
  expect(JSON.parse(await readFile(at('sealed.json'), 'utf8'))).toEqual({ 'a.b': 'one' });
});

it('converts an earlier version’s file, once', async () => {
  await writeFile(at('colours.json'), JSON.stringify(['red', 'blue']));
  expect(open().read()).toEqual({ colours: ['red', 'blue'] });
  expect(JSON.parse(await readFile(at('colours.json'), 'utf8'))).toEqual({ colours: ['red', 'blue'] });
  expect(kept).toEqual([]);
});

it('fills in preferences that an earlier version lacks', async () => {
  const { updates: _, ...earlier } = { ...FIRST_PREFERENCES, zoomLevel: 2 };
  await writeFile(at('preferences.json'), JSON.stringify(earlier, null, 2), { mode: 0o600 });
  expect(openPreferences().read()).toEqual({ ...FIRST_PREFERENCES, zoomLevel: 2 });
  expect(kept).toEqual([]);
});

it.each(['{"colours":["re', '', 'null', '5', '{"colours":[1]}', '{}'])(
  'keeps a damaged file beside, says so, and begins a new one: %j',
  async (text) => {
    await writeFile(at('colours.json'), text);
    const file = open();
    expect(file.read()).toEqual({ colours: [] });
    expect(kept).toEqual(['colours.damaged-2026-11-21T09-30-00.json']);
    expect(await readFile(at(kept[0]!), 'utf8')).toBe(text);
    await file.write({ colours: ['green'] });
    expect(open().read()).toEqual({ colours: ['green'] });
    expect(kept).toHaveLength(1);
  },
);

it('loses only what is damaged: a member, an entry of a list, one of many', async () => {
  const written = { ...FIRST_PREFERENCES, home: 'office', language: 'xx', zoomLevel: 99, onClose: 'tray' };
  await writeFile(at('preferences.json'), JSON.stringify(written));
  expect(openPreferences().read()).toEqual({ ...FIRST_PREFERENCES, home: 'office', language: null, onClose: 'tray' });
  expect(kept).toHaveLength(1);
  expect(openPreferences().read().home).toBe('office');
  expect(kept).toHaveLength(1);

  await writeFile(at('colours.json'), JSON.stringify({ colours: ['red', 5, 'blue', null] }));
  expect(open().read()).toEqual({ colours: ['red', 'blue'] });

  await writeFile(at('sealed.json'), JSON.stringify({ one: 'a', two: 2 }));
  const schema = z.record(z.string(), z.string());
  const sealed = openJsonFile({ path: at('sealed.json'), schema, empty: {}, onDamaged: () => 0, clock: Date.now });
  expect(sealed.read()).toEqual({ one: 'a' });
});

it('rejects when the disk refuses the write, and still reads what is stored', async () => {
  const file = open();
  await rm(folder, { recursive: true });
  await writeFile(folder, 'a file where the folder was');
  await expect(file.write({ colours: ['teal'] })).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect(file.read()).toEqual({ colours: [] });
});
