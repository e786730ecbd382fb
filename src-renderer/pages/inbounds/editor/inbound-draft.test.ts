import { expect, test } from 'vitest';
import { CallError } from '../../../api/transport.ts';
import { changeProtocol } from '../model/change-kind.ts';
import { newDraft } from '../model/draft.ts';
import { createInboundDraft, isDraftDirty, issueAt, textOf } from './inbound-draft.ts';

function open() {
  const store = createInboundDraft(newDraft(443));
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

test('text that is no object leaves the last good draft in place', () => {
  const { verbs, now } = open();
  verbs.typeText('{"port":5,');
  expect(now().looseText).toBe('{"port":5,');
  expect(now().draft['port']).toBe(443);
  expect(isDraftDirty(now())).toBe(true);
  verbs.typeText('{"port":5}');
  expect(now()).toMatchObject({ looseText: null, draft: { port: 5 } });
});

test('what a change of kind drops is told and can be taken back', () => {
  const { verbs, now } = open();
  verbs.edit('settings.encryption', 'x.y');
  const { draft, dropped } = changeProtocol(now().draft, 'trojan');
  verbs.replace(draft, dropped);
  expect(now().lost?.paths).toEqual(['settings.encryption']);
  verbs.undoLoss();
  expect(now()).toMatchObject({ lost: null, draft: { protocol: 'vless', settings: { encryption: 'x.y' } } });
});

test('refusals stand at their fields until those are edited', () => {
  const { verbs, now } = open();
  const field = 'streamSettings.tlsSettings.certificates[0].keyFile';
  verbs.refuse(
    new CallError('invalid', '', '', [{ field, rule: 'file', code: '', params: {}, message: 'cannot be read.' }]),
  );
  const path = 'streamSettings.tlsSettings.certificates.0.keyFile';
  expect(issueAt(now().issues, path)).toBe('cannot be read.');
  verbs.edit(path, '/k');
  expect(issueAt(now().issues, path)).toBeUndefined();
  verbs.refuse(new CallError('refused', 'port 443 is taken', 'inbound.portTaken'));
  expect(issueAt(now().issues, 'port')).toBe('port 443 is taken');
});

test('an edit that is taken back leaves nothing to save', () => {
  const { verbs, now } = open();
  verbs.edit('port', 444);
  expect(isDraftDirty(now())).toBe(true);
  verbs.edit('port', 443);
  expect(isDraftDirty(now())).toBe(false);
});
