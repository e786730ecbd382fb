import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CallError } from '../../../api/transport.ts';
import { changeProtocol } from '../model/change-kind.ts';
import { newDraft } from '../model/draft.ts';
import { useInboundDraft } from './use-inbound-draft.ts';

const open = () => renderHook(() => useInboundDraft(newDraft(443))).result;

test('fields and text are two views of one inbound', () => {
  const state = open();
  act(() => state.current.editing.edit('remark', 'Door'));
  expect(JSON.parse(state.current.text)).toMatchObject({ remark: 'Door', port: 443 });
  act(() => state.current.typeText('{"port":5,"unheard":{"of":1}}'));
  expect(state.current.draft).toEqual({ port: 5, unheard: { of: 1 } });
  expect(state.current.text).toBe('{"port":5,"unheard":{"of":1}}');
  act(() => state.current.editing.edit('port', 6));
  expect(JSON.parse(state.current.text)).toEqual({ port: 6, unheard: { of: 1 } });
});

test('text that is no object leaves the last good draft in place', () => {
  const state = open();
  act(() => state.current.typeText('{"port":5,'));
  expect(state.current.looseText).toBe('{"port":5,');
  expect(state.current.draft['port']).toBe(443);
  expect(state.current.isDirty).toBe(true);
  act(() => state.current.typeText('{"port":5}'));
  expect(state.current).toMatchObject({ looseText: null, draft: { port: 5 } });
});

test('what a change of kind drops is told and can be taken back', () => {
  const state = open();
  act(() => state.current.editing.edit('settings.encryption', 'x.y'));
  const { draft, dropped } = changeProtocol(state.current.draft, 'trojan');
  act(() => state.current.editing.replace(draft, dropped));
  expect(state.current.lost?.paths).toEqual(['settings.encryption']);
  act(() => state.current.undoLoss());
  expect(state.current).toMatchObject({ lost: null, draft: { protocol: 'vless', settings: { encryption: 'x.y' } } });
});

test('refusals stand at their fields until those are edited', () => {
  const state = open();
  const field = 'streamSettings.tlsSettings.certificates[0].keyFile';
  const message = `${field} cannot be read.`;
  act(() => state.current.refuse(new CallError('invalid', '', '', [{ field, rule: 'file', message }])));
  const path = 'streamSettings.tlsSettings.certificates.0.keyFile';
  expect(state.current.editing.issueAt(path)).toBe('cannot be read.');
  act(() => state.current.editing.edit(path, '/k'));
  expect(state.current.editing.issueAt(path)).toBeUndefined();
  act(() => state.current.refuse(new CallError('refused', 'port 443 is taken', 'inbound.portTaken')));
  expect(state.current.editing.issueAt('port')).toBe('port 443 is taken');
});
