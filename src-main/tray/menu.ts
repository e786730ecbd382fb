import { app, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import type { Texts } from '../texts/en.ts';
import type { Updates } from '../updates/updates.ts';

interface MenuDeps {
  texts: Texts;
  dataDir: string;
  openPath: (path: string) => void;
  /** Loads the shown page again. */
  reload: () => void;
  updates: Updates;
  /** Locks the window. */
  lock: () => void;
}

/** Roles whose entries are named here. */
type Role = Extract<keyof Texts, MenuItemConstructorOptions['role']>;

/** The application's menu. Without its roles, copy and paste do not work on macOS. */
export function showMenu(deps: MenuDeps): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu(deps, process.platform === 'darwin')));
}

export function appMenu(
  { texts, dataDir, openPath, reload, updates, lock }: MenuDeps,
  isMac: boolean,
): MenuItemConstructorOptions[] {
  const roles = (...names: Role[]): MenuItemConstructorOptions[] => names.map((role) => ({ role, label: texts[role] }));
  const own: MenuItemConstructorOptions[] = [
    { label: texts.managePanels, click: () => openPath('/desktop/connections') },
    { label: texts.dataFolder, click: () => void shell.openPath(dataDir) },
    { label: texts.checkUpdates, click: () => void updates.check(true) },
    { label: texts.lockWindow, accelerator: 'CommandOrControl+Shift+L', click: lock },
    { type: 'separator' },
  ];
  return [
    isMac
      ? {
          role: 'appMenu',
          submenu: [
            { role: 'about' },
            { type: 'separator' },
            ...own,
            { role: 'services' },
            { role: 'hide' },
            { role: 'hideOthers' },
            { role: 'unhide' },
            { type: 'separator' },
            { role: 'quit' },
          ],
        }
      : { label: texts.application, submenu: [...own, { label: texts.quit, click: () => app.quit() }] },
    {
      role: 'editMenu',
      label: texts.edit,
      submenu: [
        ...roles('undo', 'redo'),
        { type: 'separator' },
        ...roles('cut', 'copy', 'paste', 'delete'),
        { type: 'separator' },
        ...roles('selectAll'),
      ],
    },
    {
      label: texts.view,
      submenu: [
        { label: texts.reload, accelerator: 'CommandOrControl+R', click: reload },
        { type: 'separator' },
        ...roles('resetZoom', 'zoomIn', 'zoomOut'),
        { type: 'separator' },
        ...roles('togglefullscreen'),
      ],
    },
    { role: 'windowMenu', label: texts.window, submenu: roles('minimize', 'zoom', 'close') },
  ];
}
