import { spotlight } from '@mantine/spotlight';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { useConnection } from '../../stores/connection.ts';
import type { RawRequest } from '../../api/transport.ts';
import { renderPage, type Responses } from '../../testing/render-page.tsx';
import { PaletteButton } from './palette-button.tsx';

const STOP = '/panel/api/server/stopCoreService';

function Here() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

/** Opens the palette and types. @returns the paths of changes that were sent. */
async function searchFor(text: string, state = 'running', more: Responses = {}): Promise<() => string[]> {
  const { sent } = await renderPage(
    <>
      <PaletteButton />
      <Here />
    </>,
    {
      'GET /panel/api/server/status': { core: { state } },
      'GET /panel/api/clients/list/paged': { items: [] },
      'GET /panel/api/inbounds/options': [{ id: 7, remark: 'Door', tag: 'in-443', protocol: 'vless', port: 443 }],
      [`POST ${STOP}`]: null,
      ...more,
    },
  );
  await userEvent.click(screen.getByRole('button'));
  await userEvent.type(await screen.findByRole('combobox'), text);
  return () => sent.filter(({ method }) => method === 'POST').map(({ path }) => path);
}

beforeEach(() => {
  useConnection.getState().setReachable(true);
  spotlight.close();
});

describe('the palette', () => {
  it('says why it found nothing when it could not search', async () => {
    await searchFor('zzz', 'running', { 'GET /panel/api/clients/list/paged': new Error('the disk is full') });
    expect(await screen.findByText('the disk is full')).toBeTruthy();
  });

  it('asks before it stops the core', async () => {
    const posted = await searchFor('stop core');
    await userEvent.click(await screen.findByRole('option', { name: 'Stop core' }));
    expect(await screen.findByText('Every client is disconnected until it is started again.')).toBeTruthy();
    expect(posted()).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Stop core' }));
    await expect.poll(posted).toEqual([STOP]);
  });

  it('says that it found nothing', async () => {
    await searchFor('zzz');
    expect(await screen.findByText('Nothing found')).toBeTruthy();
  });

  it('offers to start a core that does not run, and nothing to stop', async () => {
    await searchFor('core', 'stop');
    expect(await screen.findByRole('option', { name: 'Start core' })).toBeTruthy();
    expect(screen.queryByRole('option', { name: 'Stop core' })).toBeNull();
  });

  it('says to screen readers which entry Enter opens', async () => {
    await searchFor('core');
    await screen.findByRole('option', { name: 'Stop core' });
    const told = () => screen.getByRole('combobox').getAttribute('aria-activedescendant');
    const named = () =>
      screen.getAllByRole('option').findIndex((entry) => entry.hasAttribute('aria-selected') && entry.id === told());
    await expect.poll(named).toBe(0);
    await userEvent.keyboard('{ArrowDown}');
    await expect.poll(named).toBe(1);
    expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
    await userEvent.keyboard('zzz');
    await screen.findByText('Nothing found');
    expect(told()).toBeNull();
  });

  it('opens no client of what was typed before', async () => {
    const emails = ['max.adler', 'max.bauer'];
    const paged = ({ path }: RawRequest): object => {
      const search = new URL(path, 'http://panel').searchParams.get('search')!;
      return { items: emails.filter((email) => email.includes(search)).map((email) => ({ email, comment: '' })) };
    };
    await searchFor('max', 'running', { 'GET /panel/api/clients/list/paged': paged });
    await screen.findByRole('option', { name: 'max.adler' });
    await userEvent.keyboard('.b{Enter}');
    expect(await screen.findByText('/panel/clients?client=max.bauer')).toBeTruthy();
  });

  it.each([
    ['add client', 'Add client', '/panel/clients?edit='],
    ['2fa', /Two-factor sign-in/, '/panel/settings/security'],
    ['doo', /^Door/, '/panel/inbounds?show=7'],
    ['trusted', /Trusted proxies/, '/panel/settings/security?q=trustedProxyCIDRs'],
  ])('%s', async (text, name, address) => {
    await searchFor(text);
    await userEvent.click(await screen.findByRole('option', { name }));
    expect(await screen.findByText(address)).toBeTruthy();
  });
});
