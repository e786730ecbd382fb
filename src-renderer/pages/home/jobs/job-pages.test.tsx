import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type {
  Comparison,
  JobMessage,
  TransferChoices,
  TransferPlan,
  TransferProgress,
  VerbStep,
  JobView,
} from '../../../../src-main/bridge/jobs.ts';
import { renderPage } from '../../../testing/render-page.tsx';
import { ComparePage } from '../compare/compare-page.tsx';
import { BulkPage } from '../bulk/bulk-page.tsx';
import { TransferPage } from '../transfer/transfer-page.tsx';

const work = <R,>(result: R, more: Partial<JobView<R>> = {}): JobView<R> => ({
  id: 'w',
  state: 'done',
  done: 1,
  total: 1,
  trouble: null,
  result,
  ...more,
});
const step = (panelId: string, state: VerbStep['state'], notes: JobMessage[]): VerbStep => ({
  panelId,
  state,
  count: state === 'nothing' ? 0 : 1,
  notes,
});
const said = (code: JobMessage['code'], params: JobMessage['params'] = {}): JobMessage => ({ code, params });

/** Calls the pages made to the window. */
let calls: unknown[];
let steps: VerbStep[];
let choices: TransferChoices;
let refusal: JobMessage | null;
const plan = (): TransferPlan => ({
  mode: 'move',
  inbounds: [
    {
      id: 1,
      name: 'Door',
      protocol: 'vless',
      fromPort: 443,
      port: choices.ports['1'] ?? 444,
      clientCount: 1,
      hostCount: 0,
      isRefused: false,
      notes: [said('portTaken', { port: 443, other: 'Theirs', proposed: 444 })],
    },
  ],
  clients: [{ email: 'ali', newEmail: 'ali-2', usedBytes: 1024, isRefused: false, notes: [] }],
  inboundCount: 1,
  clientCount: 1,
  refusedCount: 0,
  hostCount: 0,
  fetchAgain: [said('fetchNewAddress', { count: 1, address: 'fr.example' })],
  notes: [],
  choices,
});
const COMPARISON: Comparison = {
  lines: [
    {
      id: 'a',
      part: 'settings',
      group: '',
      path: 'pageSize',
      left: '25',
      right: '99',
      isSecret: false,
      isBound: false,
    },
    {
      id: 'b',
      part: 'settings',
      group: '',
      path: 'webPort',
      left: '2053',
      right: '80',
      isSecret: false,
      isBound: true,
    },
    { id: 'c', part: 'settings', group: '', path: 'botToken', left: '', right: '', isSecret: true, isBound: false },
  ],
  sameCount: 7,
  isCut: false,
  unread: [],
};

beforeEach(() => {
  [calls, steps, refusal] = [[], [], null];
  choices = { ports: {}, emails: {}, isProbed: true };
  const note =
    <T,>(verb: string, result: () => T) =>
    async (...args: unknown[]): Promise<T> => {
      calls.push([verb, ...args]);
      return result();
    };
  const connection = (id: string, name: string) => ({ id, name, color: 'teal', address: `https://${id}.example/` });
  Object.assign(globalThis, {
    desktop: {
      connections: { list: async () => [connection('de', 'Frankfurt'), connection('fr', 'Paris')] },
      panels: {
        inventory: async () => ({ inbounds: [{ id: 1, name: 'Door', protocol: 'vless', port: 443 }] }),
        open: note('open', () => undefined),
      },
      jobs: {
        unfinished: async () => [],
        planVerb: note('planVerb', () => 'v'),
        runVerb: note('runVerb', () => {
          steps = [step('de', 'done', [said('changed', { count: 1 })]), step('fr', 'failed', [said('absent')])];
        }),
        retryVerb: note('retryVerb', () => undefined),
        verb: async () => work(steps),
        planTransfer: note('planTransfer', () => 'p'),
        transferPlan: async () => work(plan()),
        chooseTransfer: async (request: { choices: TransferChoices }) => {
          choices = request.choices;
          return plan();
        },
        runTransfer: note('runTransfer', () => 't'),
        transfer: async () =>
          work<TransferProgress>(
            { phase: 'checking', inboundCount: 0, clientCount: 0 },
            { state: 'failed', trouble: said('noConnection', { port: 444, address: 'fr.example', words: 'timeout' }) },
          ),
        compare: note('compare', () => 'c'),
        comparison: async () => work(COMPARISON),
        takeLine: note('takeLine', () => refusal),
        cancel: note('cancel', () => undefined),
      },
    },
  });
});
afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

it('an action is previewed before it runs, and repeated where it failed', async () => {
  const expiry = said('expiryMoves', { email: 'ali', fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 31) });
  steps = [step('de', 'waiting', [expiry]), step('fr', 'waiting', [said('quotaEndless', { email: 'ali' })])];
  await renderPage(<BulkPage />, {}, '/desktop/several?emails=ali');
  await screen.findByRole('checkbox', { name: 'Paris' });
  await userEvent.clear(screen.getByLabelText('E-mails of the clients'));
  await userEvent.click(screen.getByRole('button', { name: 'Show what it will do' }));
  expect(screen.getByText('Enter at least one e-mail.')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('E-mails of the clients'), 'ali، ali\nsara');
  await userEvent.click(screen.getByRole('button', { name: 'Show what it will do' }));
  expect(calls[0]).toEqual([
    'planVerb',
    { verb: 'extend', panelIds: ['de', 'fr'], emails: ['ali', 'sara'], addDays: 30, addBytes: 0, version: 'latest' },
  ]);
  const row = async (name: string) => within(await screen.findByRole('row', { name }));
  expect((await row('Frankfurt')).getByText(/ali: .*2026 → .*2026/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Do it on 2 panels' }));
  expect(await (await row('Paris')).findByText(/This panel does not have this call/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again: Paris' }));
  expect(calls.at(-1)).toEqual(['retryVerb', { id: 'v', panelId: 'fr' }]);
});

it('a transfer says why inbounds cannot be offered, and not that there are none', async () => {
  const { desktop } = globalThis as unknown as { desktop: { panels: object; jobs: object } };
  const fail = () => Promise.reject(new Error('the disk is full'));
  Object.assign(desktop.panels, { inventory: fail });
  Object.assign(desktop.jobs, { unfinished: fail });
  await renderPage(<TransferPage />, {}, '/desktop/transfer?from=de&to=fr');
  await expect.poll(() => screen.queryAllByText('the disk is full')).toHaveLength(2);
  expect(screen.queryByText(/inbounds of this panel are not known/)).toBeNull();
});

it('a transfer of more clients than one takes is refused at their field', async () => {
  await renderPage(<TransferPage />, {}, '/desktop/transfer?from=de&to=fr');
  const field = await screen.findByLabelText('Further clients, by e-mail');
  fireEvent.change(field, { target: { value: Array.from({ length: 10_001 }, (_, at) => `c${at}`).join('\n') } });
  await userEvent.click(screen.getByRole('combobox', { name: 'Put them on' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Door · vless · 443' }));
  await userEvent.click(screen.getByRole('button', { name: 'Make a plan' }));
  expect(screen.getByText(/These are 10,001 e-mails, and at most 10,000 fit/)).toBeTruthy();
  expect(calls).toEqual([]);
});

it('a move is planned, its conflicts are decided, and a failure says that nothing has changed', async () => {
  await renderPage(<TransferPage />, {}, '/desktop/transfer?from=de&to=fr&mode=move');
  const door = await screen.findByRole('checkbox', { name: 'Door · vless · 443' });
  await userEvent.click(screen.getByRole('button', { name: 'Make a plan' }));
  expect(screen.getByText('Choose an inbound, or enter a client.')).toBeTruthy();
  expect(document.activeElement).toBe(door);
  await userEvent.click(door);
  await userEvent.click(screen.getByRole('button', { name: 'Make a plan' }));
  expect(await screen.findByText('Port 443 is taken by Theirs: 444 is proposed.')).toBeTruthy();
  const port = screen.getByRole('textbox', { name: 'New port of Door' });
  await userEvent.clear(port);
  // Keyboards have digits of their own, and commas.
  await userEvent.type(port, '۸۴43{Enter}');
  await expect.poll(() => screen.getByRole('textbox', { name: 'New port of Door' })).toHaveProperty('value', '8443');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('New port of Door');
  const email = screen.getByRole('textbox', { name: 'New e-mail of ali' });
  await userEvent.clear(email);
  await userEvent.tab();
  await expect.poll(() => choices).toEqual({ ports: { 1: 8443 }, emails: { ali: '' }, isProbed: true });
  await userEvent.click(screen.getByRole('button', { name: 'Move 1 inbound and 1 client' }));
  expect(await screen.findByText('It failed, and everything is as it was before.')).toBeTruthy();
  expect(screen.getByText(/Port 444 of fr.example accepts no connection/)).toBeTruthy();
});

it('work under way is followed again by its address, as after the window was locked', async () => {
  steps = [step('de', 'done', [said('changed', { count: 1 })]), step('fr', 'failed', [said('absent')])];
  await renderPage(<BulkPage />, {}, '/desktop/several?job=v&verb=updateCore');
  expect(await screen.findByRole('button', { name: 'Try again: Paris' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Change the question' }));
  expect(await screen.findByRole('button', { name: 'Show what it will do' })).toBeTruthy();
  cleanup();
  await renderPage(<TransferPage />, {}, '/desktop/transfer?job=t&to=fr');
  expect(await screen.findByText('It failed, and everything is as it was before.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Another one' }));
  expect(await screen.findByRole('button', { name: 'Make a plan' })).toBeTruthy();
});

it('a transfer without a panel goes to the field that lacks one', async () => {
  await renderPage(<TransferPage />, {}, '/desktop/transfer?from=de');
  await screen.findByRole('checkbox', { name: 'Door · vless · 443' });
  await userEvent.click(screen.getByRole('button', { name: 'Make a plan' }));
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'To' }));
});

it('two panels are side by side, and a line that is bound to its machine is copied only after a question', async () => {
  await renderPage(<ComparePage />, {}, '/desktop/compare?left=de&right=fr');
  const start = await screen.findByRole('button', { name: 'Compare' });
  await expect.poll(() => start.hasAttribute('disabled')).toBe(false);
  await userEvent.click(start);
  const row = async (name: string) => within(await screen.findByRole('row', { name }));
  expect((await row('botToken')).getByText('secret: not shown, not taken over')).toBeTruthy();
  expect((await row('botToken')).queryByRole('button')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Take pageSize over to Paris' }));
  expect(calls.at(-1)).toEqual(['takeLine', { id: 'c', lineId: 'a', from: 'left', isConfirmed: false }]);
  await expect.poll(() => screen.queryByRole('row', { name: 'pageSize' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Take webPort over to Frankfurt' }));
  refusal = said('panelSays', { words: 'the port is taken' });
  await userEvent.click(await screen.findByRole('button', { name: 'Take it over' }));
  expect(await screen.findByText(/The panel says: the port is taken/)).toBeTruthy();
  expect(calls.at(-1)).toEqual(['takeLine', { id: 'c', lineId: 'b', from: 'right', isConfirmed: true }]);
});
