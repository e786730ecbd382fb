import { Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Choices, ChoicesView } from '../../../src-main/bridge/contract.ts';
import { requireDesktop } from '../../api/desktop.ts';
import { keys } from '../../api/keys.ts';
import { useEdit } from '../../api/use-edit.ts';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import { announceFailure } from '../../ui/notices/announce.ts';
import { UpdateDownload } from './update-download.tsx';

const CHANNELS = ['stable', 'dev'] as const;
const ON_CLOSE = ['ask', 'tray', 'quit'] as const;

/** Settings of this application on this computer. */
export function WindowChoices() {
  const { t } = useTranslation('desktop');
  const queryKey = [...keys.connections, 'choices'];
  const { data: choices } = useQuery({ queryKey, queryFn: () => requireDesktop().shell.choices() });
  const edit = useEdit<ChoicesView>(queryKey, (after) =>
    requireDesktop().shell.setChoices(after).catch(announceFailure),
  );
  if (choices === undefined) return null;
  const change = (part: Partial<Choices>): void => edit((before) => ({ ...before, ...part }));
  return (
    <TitledCard title={t('choices.title')}>
      <Select
        label={t('choices.onClose')}
        value={choices.onClose}
        allowDeselect={false}
        data={ON_CLOSE.map((value) => ({ value, label: t(`choices.close.${value}`) }))}
        onChange={(onClose) => change({ onClose: onClose as Choices['onClose'] })}
        maw={360}
      />
      <Select
        label={t('choices.updates')}
        description={t(choices.hasUpdater ? 'choices.updatesHint' : 'choices.noUpdater')}
        disabled={!choices.hasUpdater}
        value={choices.updates}
        allowDeselect={false}
        data={CHANNELS.map((value) => ({ value, label: t(`choices.channel.${value}`) }))}
        onChange={(updates) => change({ updates: updates as Choices['updates'] })}
        maw={360}
      />
      {choices.hasUpdater && <UpdateDownload />}
      <Switch
        label={t('choices.startAtLogin')}
        checked={choices.startAtLogin}
        onChange={(event) => change({ startAtLogin: event.currentTarget.checked })}
      />
      <Switch
        label={t('choices.notifications')}
        checked={choices.notifications}
        onChange={(event) => change({ notifications: event.currentTarget.checked })}
      />
    </TitledCard>
  );
}
