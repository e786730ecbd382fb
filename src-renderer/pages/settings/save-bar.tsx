import { Alert, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { updateSettings, type SettingsView } from '#contract/settings';
import { keys } from '../../api/keys.ts';
import { CallError } from '../../api/transport.ts';
import { useChange } from '../../api/use-change.ts';
import { SaveBar } from '../../forms/draft/save-bar.tsx';
import { useUnloadGuard } from '../../forms/use-leave-guard.ts';
import { announceDone } from '../../ui/notices/announce.ts';
import { RefusedSettings } from './refused-settings.tsx';
import { refusedFields } from './refused-fields.ts';
import { usePanelRestart } from './restart/restart-store.ts';
import { useNextAddress } from './restart/use-next-address.ts';
import { effectOfAll } from './sections.ts';
import { changedKeys, forgetSaved, settingsDraft, toWire, useSettingsDraft } from './settings-draft.ts';
import { useSettingsCertificates } from './use-settings-certificates.ts';
import { writeStored } from './use-settings.ts';

/** Unsaved changes: how many, what saving restarts, where it moves this page; save and discard. */
export function SettingsBar({ stored }: { stored: SettingsView }) {
  const { t } = useTranslation('settings');
  const { changes, erased } = useSettingsDraft();
  const { draft, issues, discard, refuse } = settingsDraft();
  const save = useChange(updateSettings, [keys.settings, keys.events], {
    updateCache: (cache, { body }) => writeStored(cache, body),
  });
  const certificates = useSettingsCertificates(changes);
  const isSaving = save.isPending || certificates.isChecking;
  const changed = changedKeys(changes, erased);
  const effect = effectOfAll(changed);
  // Several saves may wait for one restart: the page moves from the running panel's address, not from the last save's.
  const running = usePanelRestart((state) => state.running) ?? stored;
  const target = useNextAddress(running, { ...stored, ...changes } as SettingsView, stored.startOptions);

  const handleSave = async (): Promise<void> => {
    refuse([]);
    if (!(await certificates.isAccepted())) return;
    try {
      await save.mutateAsync({ body: toWire(draft) });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Its field may be in another section, so it is shown here too.
      const fields = { '': error.message, ...refusedFields(error, changed) };
      refuse(Object.entries(fields).map(([path, message]) => ({ path, message, placed: message })));
      return;
    }
    forgetSaved(draft, stored);
    announceDone(t('save.done'));
    if (effect === 'panel') usePanelRestart.getState().need(running, target);
  };
  useUnloadGuard(changed.length > 0);
  if (changed.length === 0) return null;
  return (
    <SaveBar
      label={t('save.region')}
      isSaving={isSaving}
      onSave={() => void handleSave()}
      certificates={certificates.warnings}
      notices={
        <>
          {issues.length > 0 && <RefusedSettings issues={issues} />}
          {target !== null && (
            <Alert color="yellow" title={t('move.title')}>
              {t('move.text', { address: target })}
            </Alert>
          )}
        </>
      }
      actions={
        <Button variant="default" onClick={discard} disabled={isSaving}>
          {t('save.discard')}
        </Button>
      }
    >
      <Text size="sm">
        <b>{t('save.count', { count: changed.length })}</b> · {t(`save.${effect}`)}
      </Text>
    </SaveBar>
  );
}
