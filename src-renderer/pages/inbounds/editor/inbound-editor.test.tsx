import type * as Kit from '@mantine/core';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentProps, ComponentType } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { changeSecurity, changeTransport } from '../model/change-kind.ts';
import { newDraft } from '../model/draft.ts';
import type { Node } from '#contract/nodes';
import { nodeRow } from '../../nodes/testing-node.ts';
import { InboundEditor } from './inbound-editor.tsx';
import type * as Cards from './sections/section-card.tsx';

// Whole pages of the kit in a simulated browser: several seconds where the machine is busy.
vi.setConfig({ testTimeout: 30_000 });

/** How often each section and each line of text was drawn. */
const { drawn, count } = vi.hoisted(() => {
  const drawn = new Map<string, number>();
  return { drawn, count: (name: string): void => void drawn.set(name, (drawn.get(name) ?? 0) + 1) };
});
vi.mock('./sections/section-card.tsx', async (load) => {
  const original = await load<typeof Cards>();
  return {
    ...original,
    SectionCard(props: ComponentProps<typeof original.SectionCard>) {
      count(props.section);
      return original.SectionCard(props);
    },
  };
});
vi.mock('@mantine/core', async (load) => {
  const original = await load<typeof Kit>();
  const Input = original.TextInput as unknown as ComponentType<{ label?: string }>;
  return {
    ...original,
    TextInput(props: { label?: string }) {
      count(`field ${props.label ?? ''}`);
      return <Input {...props} />;
    },
  };
});
// The question before leaving needs a router with data; it is asked in the journeys.
vi.mock('./use-leave-question.ts', () => ({ useLeaveQuestion: () => undefined }));
vi.mock('../../../ui/json-editor.tsx', () => ({
  JsonEditor: ({ value }: { value: string }) => <textarea readOnly aria-label="json" value={value} />,
}));

/** The protocol with the most fields. */
const LARGEST = changeSecurity(changeTransport(newDraft(443), 'xhttp').draft, 'reality').draft;
const STORED = {
  ...LARGEST,
  id: 7,
  up: 0,
  down: 0,
  clientCount: 100_000,
  onlineCount: 0,
  remark: 'Door',
  tag: 'in-443-xhttp',
};
let stored: object = STORED;

const open = (id = 7, nodes: readonly Node[] = []) =>
  renderPage(
    <InboundEditor
      id={id}
      initial={{ ...LARGEST, remark: 'Door', tag: 'in-443-xhttp' }}
      storedRules={[]}
      options={[]}
      onSaved={() => undefined}
      onLeave={() => undefined}
    />,
    {
      'GET /panel/api/inbounds/get/7/counted': () => stored,
      'POST /panel/api/inbounds/checkPlace': null,
      'GET /panel/api/nodes/list': nodes,
      'POST /panel/api/inbounds/add': { ...STORED, clientStats: [] },
      'POST /panel/api/inbounds/update/7': { ...STORED, clientStats: [] },
    },
  );

beforeEach(() => {
  stored = STORED;
  drawn.clear();
});

test('a keystroke draws its own field and the text, nothing else', async () => {
  await open();
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await waitFor(() => expect(screen.getByText('The port is free.')).toBeDefined());
  drawn.clear();
  await userEvent.type(name, 'way');
  expect(name.value).toBe('Doorway');
  expect(drawn.get('field Name')).toBeLessThanOrEqual(4);
  const others = [...drawn.keys()].filter((each) => each !== 'field Name' && each !== 'json');
  expect(others).toEqual([]);
  expect(screen.getByLabelText<HTMLTextAreaElement>('json').value).toContain('"remark": "Doorway"');
});

test('somebody else’s save is told before it would be lost, and both can be kept', async () => {
  const { sent } = await open();
  const saves = (): object[] => sent.filter(({ path }) => path.endsWith('/update/7')).map(({ body }) => body as object);
  await userEvent.type(await screen.findByLabelText('Name'), 'way');
  stored = { ...STORED, listen: '127.0.0.1', remark: 'Gate' };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const notice = await screen.findByText('Somebody else changed this inbound');
  expect(notice.closest('[role=alert]')?.textContent).toMatch(/listen: 127\.0\.0\.1/);
  expect(saves()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => saves()).toMatchObject([{ remark: 'Doorway', listen: '127.0.0.1' }]);
});

test('a new inbound goes to a node where there are any, a kind for this machine stays here, a stored one does not move', async () => {
  const { sent } = await open(0, [nodeRow({ id: 3, name: 'Far' }), nodeRow({ id: 0, name: 'Deep', transitive: true })]);
  const place = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Runs on' });
  expect(place.value).toBe('This panel');
  await userEvent.click(place);
  expect(screen.queryByRole('option', { name: 'Deep' })).toBeNull();
  await userEvent.click(await screen.findByRole('option', { name: 'Far' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Protocol' }));
  await userEvent.click(await screen.findByRole('option', { name: 'http' }));
  expect([place.value, place.disabled]).toEqual(['This panel', true]);
  await userEvent.click(screen.getByRole('combobox', { name: 'Protocol' }));
  await userEvent.click(await screen.findByRole('option', { name: 'vless' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.find(({ path }) => path.endsWith('/add'))?.body).toMatchObject({ nodeId: 3 });
  cleanup();
  await open(7, [nodeRow({ id: 3, name: 'Far' })]);
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Runs on' })).disabled).toBe(true);
});

test('Ctrl+S saves', async () => {
  const { sent } = await open();
  await userEvent.type(await screen.findByLabelText('Name'), 'way{Control>}s{/Control}');
  await expect.poll(() => sent.some(({ path }) => path.endsWith('/update/7'))).toBe(true);
});

test('what was stored as it is typed here is no conflict', async () => {
  const { sent } = await open();
  await userEvent.type(await screen.findByLabelText('Name'), 'way');
  stored = { ...STORED, remark: 'Doorway' };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.some(({ path }) => path.endsWith('/update/7'))).toBe(true);
  expect(screen.queryByText('Somebody else changed this inbound')).toBeNull();
});
