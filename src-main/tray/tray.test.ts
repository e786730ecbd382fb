import { expect, it, vi } from 'vitest';
import type { MenuItemConstructorOptions } from 'electron';
import { textsFor } from '../texts/texts.ts';
import { createTray } from './tray.ts';

let shown: MenuItemConstructorOptions[] = [];
vi.mock('electron', () => ({
  Tray: class {
    setImage = vi.fn();
    setToolTip = vi.fn();
    setContextMenu = vi.fn();
    on = vi.fn();
  },
  Menu: { buildFromTemplate: (template: MenuItemConstructorOptions[]) => (shown = template) },
  nativeImage: { createFromPath: () => ({ setTemplateImage: vi.fn() }) },
}));

const status = { type: 'status', data: { core: { state: 'running' }, netIO: { up: 1024, down: 0 } } };
const figures = () => shown.map(({ label }) => label).filter((label) => /^(Core|Up)/.test(label ?? ''));

it.each(['running', 'stopped'] as const)(
  'shows the figures of the connected panel, and none once they may be of another (this computer’s: %s)',
  (server) => {
    const view = { color: 'blue', address: '', signIn: 'session', trust: { mode: 'verify' }, lastUsedAtMs: 0 } as const;
    const tray = createTray({
      texts: textsFor('en'),
      icons: '/icons',
      server: () => server,
      connections: () => [{ ...view, id: 'office', name: 'Office', isCurrent: true }],
      areNotificationsOn: () => true,
      panels: () => ({}),
      lock: () => 'none',
      verbs: {} as Parameters<typeof createTray>[0]['verbs'],
    });
    tray.takeLive(status);
    // A refresh for another reason keeps them: they are of the remote panel.
    tray.refresh();
    expect(figures()).toEqual(['Core: running', 'Up 1 KiB/s · down 0 B/s']);
    tray.forgetFigures();
    expect(figures()).toEqual([]);
    tray.takeLive(status);
    expect(figures()).toHaveLength(2);
  },
);
