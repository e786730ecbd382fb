import { Button } from '@mantine/core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DesktopBridge } from '../../src-main/bridge/contract.ts';
import { CONFIRM_FIRST, type LockView } from '../../src-main/bridge/lock.ts';
import { renderPage } from '../testing/render-page.tsx';
import { confirmedFirst, guardDownloads } from './confirm-first.tsx';
import { createDesktopTransport } from './desktop-transport.ts';

const RIGHT = 'the passphrase';
let isConfirmed: boolean;
let wrongTries: number;
let done: string[];
const view: LockView = {
  isSet: true,
  isLocked: false,
  idleMin: 15,
  asksAgain: true,
  usesSystem: false,
  hasSystem: false,
  waitMs: 0,
};
beforeEach(() => {
  isConfirmed = false;
  wrongTries = 0;
  done = [];
  const lock = {
    view: async () => view,
    authenticate: async (passphrase: string) => {
      if (passphrase !== RIGHT) wrongTries += 1;
      isConfirmed = passphrase === RIGHT;
      return { ok: isConfirmed, waitMs: wrongTries > 1 ? 60_000 : 0 };
    },
  };
  Object.assign(globalThis, { desktop: { lock } });
});
afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

async function guarded(name: string): Promise<void> {
  // The form in which the error crosses the bridge.
  if (!isConfirmed) throw new Error(`Error invoking remote method 'maintenance.remove': Error: ${CONFIRM_FIRST}`);
  done.push(name);
}

it('a guarded action waits for the passphrase, and does not run without it', async () => {
  const failures: string[] = [];
  const run = (): void =>
    void confirmedFirst(() => guarded('removed')).catch((error: Error) => failures.push(error.message));
  await renderPage(<Button onClick={run}>Remove</Button>, {});
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await screen.findByRole('dialog', { name: 'Confirm with the passphrase of the window' });
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => failures).toEqual(['Not confirmed, so nothing was done.']);

  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await userEvent.type(await screen.findByLabelText('Passphrase'), 'another{Enter}');
  await screen.findByText('This is not the passphrase.');
  await userEvent.type(screen.getByLabelText('Passphrase'), `${RIGHT}{Enter}`);
  await expect.poll(() => done).toEqual(['removed']);
});

it('a call that the window holds back is sent again after confirmation', async () => {
  const attempts: boolean[] = [];
  globalThis.fetch = async () => {
    attempts.push(isConfirmed);
    const headers = { 'content-type': 'application/json', ...(isConfirmed ? {} : { 'x-error-code': CONFIRM_FIRST }) };
    return new Response(JSON.stringify({ success: isConfirmed, msg: '', obj: 'links' }), {
      status: isConfirmed ? 200 : 423,
      headers,
    });
  };
  const transport = createDesktopTransport((globalThis as unknown as { desktop: DesktopBridge }).desktop);
  const got: unknown[] = [];
  const run = (): void =>
    void transport.send({ method: 'GET', path: '/panel/api/clients/links/a' }).then(({ body }) => got.push(body));
  await renderPage(<Button onClick={run}>Links</Button>, {});
  await userEvent.click(screen.getByRole('button', { name: 'Links' }));
  await userEvent.type(await screen.findByLabelText('Passphrase'), `${RIGHT}{Enter}`);
  await expect.poll(() => got).toEqual([{ success: true, msg: '', obj: 'links' }]);
  expect(attempts).toEqual([false, true]);
});

it('a download begins after confirmation', async () => {
  const begun: string[] = [];
  // What a browser does when a link outside the document is clicked.
  HTMLAnchorElement.prototype.click = function begin(this: HTMLAnchorElement) {
    begun.push(this.getAttribute('href') ?? '');
  };
  guardDownloads();
  await renderPage(
    <a href="/panel/api/server/getDb" download>
      Database
    </a>,
    {},
  );
  await userEvent.click(screen.getByRole('link', { name: 'Database' }));
  const field = await screen.findByLabelText('Passphrase');
  expect(begun).toEqual([]);
  await userEvent.type(field, `${RIGHT}{Enter}`);
  await expect.poll(() => begun).toEqual(['/panel/api/server/getDb']);
});
