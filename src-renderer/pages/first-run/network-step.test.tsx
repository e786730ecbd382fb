import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { NetworkStep } from './network-step.tsx';

const stored = (webListen: string) => ({ webListen, subListen: webListen, webPort: 2053, subPort: 2096 });

describe('reachable from the network', () => {
  it('is off at first; switching it on lets panel and subscriptions listen everywhere after a restart', async () => {
    let pid = 1;
    const { sent } = await renderPage(<NetworkStep />, {
      'POST /panel/api/setting/all': stored('127.0.0.1'),
      'POST /panel/api/setting/update': null,
      'POST /panel/api/setting/restartPanel': () => (pid += 1),
      'GET /panel/api/server/status': () => ({ appStats: { pid } }),
    });
    const toggle = await screen.findByRole('switch', { name: 'Reachable from my network' });
    expect((toggle as HTMLInputElement).checked).toBe(false);
    await userEvent.click(toggle);
    await waitFor(() => expect(sent.map(({ path }) => path)).toContain('/panel/api/setting/restartPanel'));
    expect(sent.find(({ path }) => path === '/panel/api/setting/update')?.body).toEqual({
      webListen: '',
      subListen: '',
    });
  });

  it('shows the address, warns of missing encryption, and lists the ports for the firewall', async () => {
    await renderPage(<NetworkStep />, {
      'POST /panel/api/setting/all': stored(''),
      'GET /panel/api/server/reachability': { addresses: ['http://192.168.1.20:2053/'] },
    });
    expect(await screen.findByDisplayValue('http://192.168.1.20:2053/')).toBeTruthy();
    expect(screen.getByText(/Without a certificate/)).toBeTruthy();
    expect(screen.getByText(/open the ports 2053, 2096/)).toBeTruthy();
    expect(screen.getByDisplayValue('sudo ufw allow 2053/tcp && sudo ufw allow 2096/tcp')).toBeTruthy();
  });

  it('says why there is no address', async () => {
    await renderPage(<NetworkStep />, {
      'POST /panel/api/setting/all': stored(''),
      'GET /panel/api/server/reachability': { addresses: [] },
    });
    expect(await screen.findByText(/has no network address/)).toBeTruthy();
  });
});
