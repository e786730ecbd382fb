import { beforeEach, expect, it } from 'vitest';
import { isDirty, useDraft } from './draft-store.ts';
import { writePath } from './json-edit.ts';

const draft = () => useDraft.getState();
const level = (value: string, field?: string) =>
  draft().edit((template) => writePath(template, ['log', 'loglevel'], value), field);

beforeEach(() => draft().load('{"log":{"loglevel":"warning","x":1}}', 'http://a'));

it('takes steps back and forth; the keystrokes of a field are one step', () => {
  expect(isDirty(draft())).toBe(false);
  level('d', 'level');
  level('de', 'level');
  level('info');
  expect(draft().past).toHaveLength(2);
  draft().undo();
  expect(draft().template).toEqual({ log: { loglevel: 'de', x: 1 } });
  draft().undo();
  expect(isDirty(draft())).toBe(false);
  draft().redo();
  draft().redo();
  expect(draft().template).toEqual({ log: { loglevel: 'info', x: 1 } });
  level('warning');
  expect(isDirty(draft())).toBe(false);
});

it('holds a text that is no JSON yet beside the last good template', () => {
  draft().type('{"log":');
  expect(draft().template).toEqual({ log: { loglevel: 'warning', x: 1 } });
  expect(isDirty(draft())).toBe(true);
  draft().type('{"log":{}}');
  expect(draft()).toMatchObject({ looseText: null, template: { log: {} } });
  draft().discard();
  expect(draft().template).toEqual({ log: { loglevel: 'warning', x: 1 } });
});

it('opens a broken stored template as text, to be mended', () => {
  draft().load('{', '');
  expect(draft()).toMatchObject({ template: null, looseText: '{' });
  expect(isDirty(draft())).toBe(false);
  draft().type('{}');
  expect(isDirty(draft())).toBe(true);
});

it('stays when somebody else saved', () => {
  level('info');
  draft().keepOver('{"log":{"loglevel":"error"}}', '');
  expect(draft().template).toEqual({ log: { loglevel: 'info', x: 1 } });
  draft().discard();
  expect(draft().template).toEqual({ log: { loglevel: 'error' } });
});

it('counts the test address', () => {
  draft().setTestUrl('http://b');
  expect(isDirty(draft())).toBe(true);
});
