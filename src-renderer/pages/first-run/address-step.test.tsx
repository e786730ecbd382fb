import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { AddressStep } from './address-step.tsx';

const REACH = { addresses: [], hosts: ['5.75.1.2', '10.0.0.2'] };

async function open(stored: object = {}, response: unknown = null) {
  const onDone = vi.fn();
  const { sent } = await renderPage(<AddressStep onDone={onDone} />, {
    'POST /panel/api/setting/all': { subDomain: '', webDomain: '', ...stored },
    'GET /panel/api/server/reachability': REACH,
    'POST /panel/api/setting/update': response,
  });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Public address or name' });
  const saved = (): unknown[] => sent.filter(({ path }) => path.endsWith('/update')).map(({ body }) => body);
  return { field, saved, onDone };
}

it('proposes the addresses the panel found, marks those only the network reaches, and stores the choice', async () => {
  const { field, saved, onDone } = await open();
  expect(field.value).toBe('5.75.1.2');
  expect(screen.queryByRole('note')).toBeNull();
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole('option', { name: '10.0.0.2' }));
  expect(screen.getByRole('note').textContent).toMatch(/10\.0\.0\.2.* is only reached from this device/);
  await userEvent.clear(field);
  await userEvent.type(field, ' panel.example ');
  await userEvent.click(screen.getByRole('button', { name: 'Use this' }));
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
  expect(saved()).toEqual([{ subDomain: 'panel.example' }]);
});

it('begins with the stored address, and can be left empty', async () => {
  const { field, saved, onDone } = await open({ subDomain: 'sub.example', webDomain: 'panel.example' });
  expect(field.value).toBe('sub.example');
  await userEvent.clear(field);
  await userEvent.click(screen.getByRole('button', { name: 'Use this' }));
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
  expect(saved()).toEqual([{ subDomain: '' }]);
});

it('shows at the field why an address is refused', async () => {
  const { field, onDone } = await open({}, new Error('it is no host name'));
  await userEvent.clear(field);
  await userEvent.type(field, 'http://panel.example');
  await userEvent.click(screen.getByRole('button', { name: 'Use this' }));
  expect(await screen.findByText('it is no host name')).toBeTruthy();
  expect(onDone).not.toHaveBeenCalled();
});

it('says what the field takes, without the name of the setting behind it', async () => {
  const refusal = new Error('subDomain must be a host name without scheme, port and path: http://x');
  const { field } = await open({}, Object.assign(refusal, { code: 'settings.domain', params: { field: 'subDomain' } }));
  await userEvent.type(field, '/x');
  await userEvent.click(screen.getByRole('button', { name: 'Use this' }));
  expect(await screen.findByText(/^Write a name or an IP address alone/)).toBeTruthy();
});
