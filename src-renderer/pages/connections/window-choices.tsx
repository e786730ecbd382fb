import { Select, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Choices } from '../../../src-main/bridge/contract.ts';
import { requireDesktop } from '../../api/desktop.ts';
import { keys } from '../../api/keys.ts';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import { announceFailure } from '../../ui/notices/announce.ts';

const CHANNELS = ['stable', 'dev'] as const;
const ON_CLOSE = ['ask', 'tray', 'quit'] as const;

/** Settings of this application on this computer. */
export function WindowChoices() {
  const { t } = useTranslation('desktop');
  const cache = useQueryClient();
  const queryKey = [...keys.connections, 'choices'];
  const { data: choices } = useQuery({ queryKey, queryFn: () => requireDesktop().shell.choices() });
  if (choices === undefined) return null;
  const change = async (part: Partial<Choices>): Promise<void> => {
    await requireDesktop()
      .shell.setChoices({ ...choices, ...part })
      .catch(announceFailure);
    await cache.invalidateQueries({ queryKey });
  };
  return (
    <TitledCard title={t('choices.title')}>
      <Select
        label={t('choices.onClose')}
        value={choices.onClose}
        allowDeselect={false}
        data={ON_CLOSE.map((value) => ({ value, label: t(`choices.close.${value}`) }))}
        onChange={(onClose) => void change({ onClose: onClose as Choices['onClose'] })}
        maw={360}
      />
      <Select
        label={t('choices.updates')}
        description={t(choices.hasUpdater ? 'choices.updatesHint' : 'choices.noUpdater')}
        disabled={!choices.hasUpdater}
        value={choices.updates}
        allowDeselect={false}
        data={CHANNELS.map((value) => ({ value, label: t(`choices.channel.${value}`) }))}
        onChange={(updates) => void change({ updates: updates as Choices['updates'] })}
        maw={360}
      />
      <Switch
        label={t('choices.startAtLogin')}
        checked={choices.startAtLogin}
        onChange={(event) => void change({ startAtLogin: event.currentTarget.checked })}
      />
      <Switch
        label={t('choices.notifications')}
        checked={choices.notifications}
        onChange={(event) => void change({ notifications: event.currentTarget.checked })}
      />
    </TitledCard>
  );
}
