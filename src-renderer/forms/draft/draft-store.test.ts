import { expect, test } from 'vitest';
import type { JsonObject } from '#wire/json';
import { CallError } from '../../api/transport.ts';
import { createDraft, isDirty, issueAt, issuesOf, textOf } from './draft-store.ts';

function open(stored: JsonObject | string = { port: 443, remark: '', log: { level: 'warning', x: 1 } }) {
  const store = createDraft();
  store.getState().load(stored);
  return { verbs: store.getState(), now: () => store.getState() };
}

test('fields and text are two views of one inbound', () => {
  const { verbs, now } = open();
  verbs.edit('remark', 'Door');
  expect(JSON.parse(textOf(now()))).toMatchObject({ remark: 'Door', port: 443 });
  verbs.typeText('{"port":5,"unheard":{"of":1}}');
  expect(now().draft).toEqual({ port: 5, unheard: { of: 1 } });
  expect(textOf(now())).toBe('{"port":5,"unheard":{"of":1}}');
  verbs.edit('port', 6);
  expect(JSON.parse(textOf(now()))).toEqual({ port: 6, unheard: { of: 1 } });
});

test('text that is not an object leaves the last good draft in place', () => {
  const { verbs, now } = open();
  verbs.typeText('{"port":5,');
  expect(now().looseText).toBe('{"port":5,');
  expect(now().draft['port']).toBe(443);
  expect(isDirty(now())).toBe(true);
  verbs.typeText('{"port":5}');
  expect(now()).toMatchObject({ looseText: null, draft: { port: 5 } });
});

test('what a change of kind drops is reported and can be restored', () => {
  const { verbs, now } = open();
  verbs.replace({ port: 443 }, ['log']);
  expect(now().lost?.paths).toEqual(['log']);
  verbs.undoLoss();
  expect(now()).toMatchObject({ lost: null, draft: { port: 443, log: { x: 1 } } });
});

test('refusals stay at their fields until those are edited', () => {
  const { verbs, now } = open();
  const field = 'streamSettings.tlsSettings.certificates[0].keyFile';
  const refusal = { field, rule: 'file', code: '', params: {}, message: 'cannot be read.' };
  verbs.refuse(issuesOf(new CallError('invalid', '', '', [refusal])));
  const path = 'streamSettings.tlsSettings.certificates.0.keyFile';
  expect(issueAt(now().issues, path)).toBe('cannot be read.');
  verbs.edit(path, '/k');
  expect(issueAt(now().issues, path)).toBeUndefined();
  verbs.refuse(issuesOf(new CallError('refused', 'port 443 is taken', 'inbound.portTaken'), 'port'));
  expect(issueAt(now().issues, 'port')).toBe('port 443 is taken');
});

test('an edit that is undone leaves nothing to save', () => {
  const { verbs, now } = open();
  verbs.edit('port', 444);
  expect(isDirty(now())).toBe(true);
  verbs.edit('port', 443);
  expect(isDirty(now())).toBe(false);
});

test('undo and redo walk through steps; the keystrokes of a field are one step', () => {
  const { verbs, now } = open();
  verbs.edit('log.level', 'd');
  verbs.edit('log.level', 'de');
  verbs.change((draft) => ({ ...draft, port: 1 }));
  expect(now().past).toHaveLength(2);
  verbs.undo();
  expect(now().draft).toMatchObject({ port: 443, log: { level: 'de', x: 1 } });
  verbs.undo();
  expect(isDirty(now())).toBe(false);
  verbs.redo();
  verbs.redo();
  expect(now().draft).toMatchObject({ port: 1, log: { level: 'de' } });
  verbs.discard();
  expect(now()).toMatchObject({ draft: { port: 443 }, past: [] });
});

test('a stored text that is not an object is opened for repair', () => {
  const { verbs, now } = open('{');
  expect(now()).toMatchObject({ start: null, looseText: '{' });
  expect(isDirty(now())).toBe(false);
  verbs.typeText('{}');
  expect(isDirty(now())).toBe(true);
});

test('a draft stays when the stored object changes', () => {
  const { verbs, now } = open('{"log":1}');
  verbs.edit('log', 2);
  verbs.rebase('{"log":3}');
  expect(now().draft).toEqual({ log: 2 });
  verbs.discard();
  expect(now().draft).toEqual({ log: 3 });
});
