import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { CALL } from '../../testing/api-call.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { CallSamples } from './call-samples.tsx';

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'desktop');
  Reflect.deleteProperty(navigator, 'clipboard');
});

it('calls the panel of the window at its own address', async () => {
  const list = async () => [{ isCurrent: true, address: 'https://far.example:2053/base/' }];
  Object.assign(globalThis, { desktop: { connections: { list } } });
  await renderPage(<CallSamples call={CALL} schemas={{}} example="" />, {});
  await expect
    .poll(() => document.querySelector('pre')?.textContent)
    .toContain('https://far.example:2053/base/panel/api/server/status');
});

it('selects the sample for the keyboard where the page has no clipboard', async () => {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  await renderPage(<CallSamples call={CALL} schemas={{}} example="" />, {});
  fireEvent.click(await screen.findByRole('button', { name: 'Copy' }));
  await expect.poll(() => getSelection()?.toString()).toContain('/panel/api/server/status');
  expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull();
});
