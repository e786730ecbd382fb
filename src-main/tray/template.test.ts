import { describe, expect, it, vi } from 'vitest';
import type { ConnectionView } from '../bridge/contract.ts';
import { byteSpeed } from '../texts/byte-speed.ts';
import { textsFor } from '../texts/texts.ts';
import { trayIcon, trayMenu, type TrayFacts, type TrayVerbs } from './template.ts';

const connection = (id: string, isCurrent: boolean): ConnectionView => ({
  id,
  name: id,
  color: 'blue',
  address: '',
  signIn: 'session',
  trust: { mode: 'verify' },
  isCurrent,
  lastUsedAtMs: 0,
});
const facts = (more: Partial<TrayFacts> = {}): TrayFacts => ({
  server: 'running',
  figures: { core: 'running', up: 1536, down: 0 },
  connections: [connection('local', true), connection('office', false)],
  areNotificationsOn: true,
  panels: {},
  lock: 'none',
  ...more,
});
const verbs = (): TrayVerbs => ({
  open: vi.fn(),
  lock: vi.fn(),
  openPath: vi.fn(),
  use: vi.fn(),
  restartCore: vi.fn(),
  stopCore: vi.fn(),
  copyAddress: vi.fn(),
  openInBrowser: vi.fn(),
  setNotifications: vi.fn(),
  quit: vi.fn(),
});

describe('the icon', () => {
  const remote = [connection('local', false), connection('office', true)];
  it.each([
    ['running', facts()],
    ['stopped', facts({ server: 'stopped', figures: null })],
    ['stopped', facts({ server: 'starting', figures: null })],
    ['stopped', facts({ figures: { core: 'stop', up: 0, down: 0 } })],
    ['error', facts({ server: 'failed', figures: null })],
    ['error', facts({ figures: { core: 'error', up: 0, down: 0 } })],
    ['remote', facts({ connections: remote })],
    ['error', facts({ connections: remote, figures: { core: 'error', up: 0, down: 0 } })],
    ['error', facts({ panels: { office: 'away' } })],
    ['running', facts({ panels: { office: 'attention' } })],
  ] as const)('%s', (icon, given) => {
    expect(trayIcon(given)).toBe(icon);
  });
});

describe('the menu', () => {
  it('runs the actions of its entries', () => {
    const called = verbs();
    const menu = trayMenu(facts(), textsFor('en-GB'), called);
    const press = (label: string): void => {
      const items = menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? item.submenu : [])]);
      const { click } = items.find((item) => item.label === label) as unknown as { click: () => void };
      click();
    };
    for (const label of ['Restart core', 'Stop core', 'office', 'Pause notifications', 'Quit and stop core'])
      press(label);
    expect(called.restartCore).toHaveBeenCalledOnce();
    expect(called.stopCore).toHaveBeenCalledOnce();
    expect(called.use).toHaveBeenCalledWith('office');
    expect(called.setNotifications).toHaveBeenCalledWith(false);
    expect(called.quit).toHaveBeenCalledOnce();
  });

  it('shows the state of each panel', () => {
    const menu = trayMenu(facts({ panels: { office: 'away' } }), textsFor('en'), verbs());
    const labels = menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu.map(({ label }) => label) : []));
    expect(labels).toEqual(expect.arrayContaining(['local', 'office — no answer', 'All panels']));
  });

  it('mentions this computer’s panel only when it is the connected one', () => {
    const connections = [connection('local', false), connection('office', true)];
    const labels = trayMenu(facts({ connections, figures: null }), textsFor('en'), verbs()).map(({ label }) => label);
    expect(labels).not.toContain('Panel: running');
    expect(labels).not.toContain('Open in the browser, signed in');
    expect(labels).toEqual(expect.arrayContaining(['Copy address', 'Open in browser']));
  });

  it('disables sharing while this computer’s panel does not run', () => {
    const isEnabled = (server: TrayFacts['server']): (boolean | undefined)[] =>
      trayMenu(facts({ server }), textsFor('en'), verbs())
        .filter(({ label }) => label === 'Copy LAN address' || label === 'Open in the browser, signed in')
        .map(({ enabled }) => enabled);
    expect(isEnabled('running')).toEqual([true, true]);
    expect(isEnabled('starting')).toEqual([false, false]);
  });
});

describe('words', () => {
  it('follow the language of the system', () => {
    expect(textsFor('fa-IR').quit).toBe('خروج');
    expect(textsFor('zh_CN').quit).toBe('退出');
    expect(textsFor('xx').quit).toBe('Quit');
  });
  it.each([
    [0, '0 B/s'],
    [1023, '1023 B/s'],
    [1536, '1.5 KiB/s'],
    [150 * 1024 ** 2, '150 MiB/s'],
    [5000 * 1024 ** 3, '5000 GiB/s'],
  ])('%i bytes per second', (bytes, text) => {
    expect(byteSpeed(bytes)).toBe(text);
  });
  it('have the same placeholders in every language', () => {
    const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort();
    const english = textsFor('en');
    for (const language of ['fa', 'ru', 'zh'])
      for (const [key, text] of Object.entries(textsFor(language)))
        expect([key, names(text)]).toEqual([key, names(english[key as keyof typeof english])]);
  });
});
