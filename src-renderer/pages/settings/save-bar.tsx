import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateSettings, type SettingsView } from '#contract/settings';
import { keys } from '../../api/keys.ts';
import { CallError } from '../../api/transport.ts';
import { useChange } from '../../api/use-change.ts';
import { announceDone } from '../../ui/announce.ts';
import { barRoom } from '../../ui/bar-room.ts';
import { nextAddress } from './next-address.ts';
import { refusedFields } from './refused-fields.ts';
import { usePanelRestart } from './restart-store.ts';
import { effectOfAll } from './sections.ts';
import { changedKeys, toWire, useSettingsDraft } from './settings-draft.ts';
import classes from './settings.module.css';

/** What is not saved: how much, what saving it restarts, where it moves this page, and the two ways out. */
export function SaveBar({ stored }: { stored: SettingsView }) {
  const { t } = useTranslation(['settings', 'shell']);
  const { changes, erased, clear, refuse } = useSettingsDraft();
  const save = useChange(updateSettings, [keys.settings]);
  const [failure, setFailure] = useState('');
  const changed = changedKeys(changes, erased);
  const effect = effectOfAll(changed);
  const target = nextAddress(location.href, stored, { ...stored, ...changes } as SettingsView);

  const handleSave = async (): Promise<void> => {
    setFailure('');
    try {
      await save.mutateAsync({ body: toWire(changes, erased) });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      refuse(refusedFields(error, changed));
      // Its field may stand in another section, so it is told here too.
      setFailure(error.message);
      return;
    }
    clear();
    announceDone(t('save.done'));
    if (effect === 'panel') usePanelRestart.getState().need(target);
  };
  useHotkeys([['mod+S', () => void (changed.length > 0 && handleSave())]], []);
  if (changed.length === 0) return null;
  return (
    <Paper
      ref={barRoom}
      withBorder
      shadow="md"
      p="sm"
      className={classes['bar'] ?? ''}
      component="section"
      aria-label={t('save.region')}
    >
      <Stack gap="xs">
        {failure !== '' && (
          <Alert color="red" role="alert">
            <bdi>{failure}</bdi>
          </Alert>
        )}
        {target !== null && (
          <Alert color="yellow" title={t('move.title')}>
            {t('move.text', { address: target })}
          </Alert>
        )}
        <Group justify="space-between">
          <Text size="sm">
            <b>{t('save.count', { count: changed.length })}</b> · {t(`save.${effect}`)}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={clear}>
              {t('save.discard')}
            </Button>
            <Button loading={save.isPending} onClick={() => void handleSave()}>
              {t('shell:save')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}
