import { nativeTheme } from 'electron';
import * as z from 'zod';
import type { LiveState, RefusedField, Saved } from '../bridge/contract.ts';
import { shownCertificate } from '../connections/checked-agent.ts';
import { ConnectionInput, PanelAddress, type SavedConnection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/store.ts';
import type { Switchboard } from '../connections/switchboard.ts';
import type { LocalPanel } from '../supervisor/local-panel.ts';
import type { JsonFile } from '../preferences/json-file.ts';
import type { Preferences } from '../preferences/preferences.ts';
import { BackupName } from '../supervisor/backups.ts';
import type { LoginItem } from '../system/autostart-file.ts';
import type { Texts } from '../texts/en.ts';
import { LanguageCode } from '../texts/texts.ts';
import type { Updates } from '../updates/updates.ts';
import { handle } from './handle.ts';
import { registerPanelCalls } from './panel-calls.ts';
import { registerJobCalls } from './job-calls.ts';
import type { AllPanels } from '../shell/all-panels.ts';

const Nothing = z.undefined();
const Id = z.string().min(1).max(64);

export interface CallDeps {
  store: ConnectionStore;
  switchboard: Switchboard;
  texts: Texts;
  panel: LocalPanel;
  use: (id: string) => Promise<void>;
  liveState: () => LiveState;
  useThisComputer: () => Promise<void>;
  takeWaiting: () => string | null;
  reconnect: () => Promise<void>;
  leaveRemoved: () => Promise<void>;
  preferences: JsonFile<Preferences>;
  loginItem: LoginItem;
  hasUpdater: boolean;
  updates: Updates;
  allPanels: AllPanels;
  showLanguage: (language: LanguageCode) => void;
}

/** Registers every call of the bridge. */
export function registerCalls(deps: CallDeps): void {
  connectionCalls(deps);
  registerPanelCalls(deps.allPanels);
  registerJobCalls(deps.allPanels);
  const { panel, preferences, loginItem, hasUpdater } = deps;
  handle('server.state', Nothing, () => panel.view());
  handle('server.retry', Nothing, () => panel.retry());
  handle('server.openDataFolder', Nothing, async () => void (await panel.openDataFolder()));
  handle('server.backups', Nothing, () => panel.backups());
  handle('server.restore', BackupName, (name) => panel.restore(name));
  handle('live.state', Nothing, () => deps.liveState());
  handle('shell.useThisComputer', Nothing, () => deps.useThisComputer());
  handle('shell.listens', Nothing, () => deps.takeWaiting());
  handle('shell.takeFirstCredentials', Nothing, () => panel.takeFirstAdmin());
  handle('shell.choices', Nothing, () => {
    const { onClose, notifications, updates } = preferences.read();
    return { onClose, notifications, updates, startAtLogin: loginItem.isOn(), hasUpdater };
  });
  const Choices = z.object({
    onClose: z.enum(['ask', 'tray', 'quit']),
    startAtLogin: z.boolean(),
    notifications: z.boolean(),
    updates: z.enum(['stable', 'dev']),
  });
  handle('shell.setChoices', Choices, async (choices) => {
    await loginItem.set(choices.startAtLogin);
    await preferences.write({ ...preferences.read(), ...choices });
  });
  handle('shell.updateDownload', Nothing, () => deps.updates.download());
  handle('shell.cancelUpdate', Nothing, () => deps.updates.cancel());
  handle('shell.setTheme', z.enum(['system', 'light', 'dark']), async (theme) => {
    if (preferences.read().theme === theme) return;
    nativeTheme.themeSource = theme;
    await preferences.write({ ...preferences.read(), theme });
  });
  handle('shell.setLanguage', LanguageCode, async (language) => {
    if (preferences.read().language === language) return;
    deps.showLanguage(language);
    await preferences.write({ ...preferences.read(), language });
  });
}

/** Whether another panel may answer there than before, or as another admin. */
function isAnother(before: SavedConnection | undefined, { address, signIn, trust, token }: ConnectionInput): boolean {
  const way = (saved: Pick<SavedConnection, 'address' | 'signIn' | 'trust'>): string =>
    JSON.stringify([saved.address, saved.signIn, saved.trust]);
  return before === undefined || token !== undefined || way(before) !== way({ address, signIn, trust });
}

function connectionCalls(deps: CallDeps): void {
  const { store, switchboard, texts, panel, use, reconnect, leaveRemoved, allPanels } = deps;
  handle('connections.list', Nothing, () => switchboard.views(texts.localPanel, panel.address()));
  handle('connections.save', z.unknown(), async (draft): Promise<Saved> => {
    const parsed = ConnectionInput.safeParse(draft);
    if (!parsed.success)
      return { ok: false, refused: parsed.error.issues.map(({ path }) => path.at(-1) as RefusedField) };
    const missing = await store.missingSecret(parsed.data);
    if (missing !== null) return { ok: false, refused: [missing] };
    const before = parsed.data.id === undefined ? undefined : store.find(parsed.data.id);
    const { id } = await store.save(parsed.data);
    // When the current connection was edited, the window reconnects with the new data.
    if (switchboard.currentId === id)
      await (isAnother(before, parsed.data) ? reconnect() : switchboard.use(switchboard.currentId));
    allPanels.changed();
    return { ok: true, id };
  });
  handle('connections.remove', Id, async (id) => {
    await store.remove(id);
    if (switchboard.currentId === id) await leaveRemoved();
    allPanels.changed();
  });
  handle('connections.use', Id, use);
  handle('connections.moved', PanelAddress, async (address) => {
    await store.move(switchboard.currentId, address);
    await switchboard.use(switchboard.currentId);
    allPanels.changed();
  });
  handle('connections.reach', Id, (id) => switchboard.reach(id));
  handle('connections.certificate', PanelAddress, (address) => shownCertificate(address));
  handle('connections.exportAll', Nothing, () => store.exportAll());
  handle('connections.importAll', z.string().max(1_000_000), async (text) => {
    const added = await store.importAll(text);
    allPanels.changed();
    return added;
  });
  handle('connections.areSecretsKept', Nothing, () => store.areSecretsKept());
}
