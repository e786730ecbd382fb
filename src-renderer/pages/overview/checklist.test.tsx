import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { CHECKS } from '#contract/checklist';
import { renderPage } from '../../testing/render-page.tsx';
import { Checklist } from './checklist.tsx';

it('lists open points with links, and dismisses and restores points', async () => {
  const away = new Set<string>();
  const { sent } = await renderPage(<Checklist />, {
    'GET /panel/api/checklist/list': () =>
      CHECKS.map((name) => ({
        name,
        isDone: name === 'core',
        isDismissed: away.has(name),
        facts: { ports: '443, 2053' },
      })),
    'POST /panel/api/checklist/dismiss': ({ body }: { body: { name: string; dismissed: boolean } }) => {
      if (body.dismissed) away.add(body.name);
      else away.delete(body.name);
      return null;
    },
  });
  expect(await screen.findByText('Before you leave it alone: 1 of 8 done')).toBeTruthy();
  expect(screen.getByText(/through your firewall: \u2068443, 2053\u2069/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open: Two-factor sign-in' }).getAttribute('href')).toBe(
    '/panel/settings/security?twoFactor=on',
  );
  expect(screen.queryByRole('link', { name: 'Open: Core version' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'It is done: Firewall' }));
  expect(await screen.findByText('Put away: Firewall')).toBeTruthy();
  expect(screen.queryByText(/through your firewall/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show again' }));
  expect(await screen.findByText(/through your firewall/)).toBeTruthy();
  expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(2);
});
