import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import type { getClient } from '#contract/clients';
import { useFormat } from '../../../i18n/format.ts';
import { serverNow } from '../../../stores/server-clock.ts';
import { stateTone } from '../../../ui/palette/tones.ts';
import { usePlans } from '../../plans/use-plans.ts';
import { stateAlone } from '../client-state.ts';
import classes from '../clients.module.css';
import { UsedBar } from '../used-bar.tsx';
import { useExpiryText } from '../use-expiry-text.ts';
import { usedText } from '../used-text.ts';

/** How a client stands: its state, what it used, and its dates. */
export function ClientSummary({ client }: { client: z.output<(typeof getClient)['result']> }) {
  const { t } = useTranslation(['clients', 'rowVerbs']);
  const format = useFormat();
  const expiryText = useExpiryText();
  const { client: row, usedTraffic, lastSubFetch } = client;
  const plan = usePlans().data?.find(({ id }) => id === row.planId);
  const state = stateAlone(row, usedTraffic, serverNow());
  const renewal =
    row.reset > 0
      ? t('rowVerbs:dates.everyDays', { days: row.reset })
      : row.resetDay > 0
        ? t('rowVerbs:dates.everyMonth', { day: format.number(row.resetDay) })
        : null;
  const dates: [name: string, text: string][] = [
    [
      t('column.expiry'),
      row.expiryTime > 0
        ? `${format.dateTime(row.expiryTime)} (${expiryText(row.expiryTime)})`
        : expiryText(row.expiryTime),
    ],
    ...(renewal === null ? [] : [[t('form.renewal'), renewal] as [string, string]]),
    [t('column.created'), dateText(row.createdAt)],
    [t('column.updated'), dateText(row.updatedAt)],
    [t('rowVerbs:dates.fetched'), dateText(lastSubFetch)],
  ];
  function dateText(ms: number | undefined): string {
    return ms ? format.dateTime(ms) : t('never');
  }
  return (
    <Stack gap="xs">
      <div>
        <Group justify="space-between" gap="xs">
          <Text size="sm">{usedText(usedTraffic, row.totalGB, { format, t })}</Text>
          <span className={classes['badge']} data-tone={stateTone(state)}>
            {t(`status.${state}`)}
          </span>
        </Group>
        <UsedBar usedBytes={usedTraffic} quotaBytes={row.totalGB} label={t('column.traffic')} />
      </div>
      <dl className={classes['dates']}>
        {plan !== undefined && (
          <div>
            <dt>{t('column.plan')}</dt>
            <dd>
              <bdi>{plan.name}</bdi>
            </dd>
          </div>
        )}
        {dates.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Stack>
  );
}
