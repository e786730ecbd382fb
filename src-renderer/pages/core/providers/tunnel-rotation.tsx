import { Alert, Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { getSettings } from '#contract/settings';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { announceDone } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { useIsUnsaved } from '../model/draft.ts';
import { useAction } from './use-provider.ts';
import { allFit } from '../../../forms/all-fit.ts';
import { NumberField } from '../../../forms/number-field.tsx';

const Rotated = z.object({ warning: z.string().optional() });

/** Rotates the tunnel's address, now or every few days; the server writes it into the stored template itself. */
export function TunnelRotation() {
  const { t } = useTranslation(['core', 'shell']);
  const cache = useQueryClient();
  const act = useAction('tunnel');
  const isUnsaved = useIsUnsaved();
  const settings = useRead(getSettings, {}, [...keys.settings, 'all']);
  const stored = settings.data?.tunnelUpdateInterval ?? 0;
  const [typed, setTyped] = useState<number | null>(null);
  const [warning, setWarning] = useState('');
  const days = typed ?? stored;
  const refetch = (): void => {
    for (const queryKey of [keys.core, keys.settings]) void cache.invalidateQueries({ queryKey });
  };
  const handleRotate = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('tunnel.rotateTitle'),
      text: t('tunnel.rotateText'),
      action: t('tunnel.rotate'),
      isDangerous: false,
    });
    if (!isSure) return;
    const onSuccess = (result: unknown): void => {
      setWarning(Rotated.parse(result).warning ?? '');
      announceDone(t('tunnel.rotated'));
      refetch();
    };
    act.mutate({ action: 'changeIp' }, { onSuccess });
  };
  const handleInterval = (): void => act.mutate({ action: 'interval', interval: String(days) }, { onSuccess: refetch });
  const problem = act.error?.message ?? warning;
  return (
    <>
      <Group align="flex-end" gap="xs">
        <NumberField
          label={t('tunnel.interval')}
          description={t('tunnel.intervalHint')}
          min={0}
          max={36_500}
          value={days}
          empty={0}
          onChange={setTyped}
          disabled={settings.data === undefined}
          flex={1}
        />
        <Button
          variant="default"
          disabled={days === stored}
          loading={act.isPending}
          onClick={({ currentTarget }) => allFit(currentTarget) && handleInterval()}
        >
          {t('shell:save')}
        </Button>
        <Button variant="default" disabled={isUnsaved} loading={act.isPending} onClick={() => void handleRotate()}>
          {t('tunnel.rotate')}
        </Button>
      </Group>
      {problem !== '' && (
        <Alert color={act.error === null ? 'yellow' : 'red'} role="alert">
          <bdi>{problem}</bdi>
        </Alert>
      )}
    </>
  );
}
