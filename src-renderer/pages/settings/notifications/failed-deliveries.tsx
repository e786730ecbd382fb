import { Button, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { listFailedDeliveries, retryDelivery, type FailedDelivery } from '#contract/events';
import { keys } from '../../../api/keys.ts';
import { failureOf, useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import classes from './notifications.module.css';
import { useSubscriberName, useSubscribers } from './use-subscribers.ts';

/** Deliveries that were given up; hidden while there are none. */
export function FailedDeliveries() {
  const { t, i18n } = useTranslation(['notifications', 'words']);
  const { language } = i18n;
  const list = useRead(listFailedDeliveries, { query: { language } }, [...keys.events, 'failed', language]);
  const failed = list.data ?? [];
  if (failed.length === 0) return <Failure error={{ message: failureOf(list) }} />;
  return (
    <TitledCard title={t('failed.title')}>
      <Text size="sm">{t('failed.text')}</Text>
      <CardTable
        minWidth={640}
        columns={[t('hooks.event'), t('failed.to'), t('words:time'), t('words:reason')]}
        actions={t('failed.retry')}
      >
        {failed.map((one) => (
          <FailedRow key={`${one.channel} ${one.eventId}`} failed={one} />
        ))}
      </CardTable>
    </TitledCard>
  );
}

function FailedRow({ failed }: { failed: FailedDelivery }) {
  const { t } = useTranslation(['notifications', 'words']);
  const format = useFormat();
  const nameOf = useSubscriberName();
  const { data: subscribers = [] } = useSubscribers();
  const retry = useChange(retryDelivery, [keys.events]);
  const { channel, eventId, title } = failed;
  const handleRetry = (): void =>
    retry.mutate(
      { body: { channel, eventId } },
      { onSuccess: () => announceDone(t('failed.queued')), onError: announceFailure },
    );
  return (
    <Table.Tr>
      <Table.Th scope="row" maw={260}>
        <bdi>{title}</bdi>
      </Table.Th>
      <Table.Td data-label={t('failed.to')}>
        <bdi>{nameOf(subscribers.find(({ name }) => name === channel) ?? { name: channel, label: '' })}</bdi>
      </Table.Td>
      <Table.Td data-label={t('words:time')}>{format.dateTime(failed.at)}</Table.Td>
      <Table.Td data-label={t('words:reason')} maw={320}>
        <bdi dir="ltr" className={classes['answer']}>
          {failed.error}
        </bdi>
        <Hint size="xs">{t('failed.attempts', { count: failed.attempts })}</Hint>
      </Table.Td>
      <Table.Td ta="end">
        <Button
          size="xs"
          variant="default"
          loading={retry.isPending}
          onClick={handleRetry}
          aria-label={t('failed.retryNamed', { title })}
        >
          {t('failed.retry')}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
