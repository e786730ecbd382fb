import { Button, Modal, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EventKind } from '#contract/events';
import { listWebhookAttempts, resendWebhookAttempt, type Webhook, type WebhookAttempt } from '#contract/webhooks';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { connectionWords } from '../../../i18n/refusal-words.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import classes from './notifications.module.css';
import { useTellAttempt } from './use-webhooks.ts';
import { Chip } from '../../../ui/palette/chip.tsx';
import { severityTone } from '../../../ui/palette/tones.ts';

/** The last requests to a webhook, with the responses. */
export function WebhookLog({ webhook: { id, name }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(['notifications', 'words']);
  const attempts = useRead(listWebhookAttempts, { params: { id } }, [...keys.events, 'attempts', String(id)]);
  return (
    <Modal opened onClose={onClose} size="xl" title={t('hooks.logTitle', { name })}>
      <QueryView query={attempts} empty={<EmptyState text={t('hooks.logNone')} />}>
        {(rows) => (
          <CardTable
            minWidth={560}
            columns={[t('hooks.event'), t('words:time'), t('words:answer')]}
            actions={t('hooks.resend')}
          >
            {rows.map((attempt) => (
              <AttemptRow key={attempt.id} attempt={attempt} />
            ))}
          </CardTable>
        )}
      </QueryView>
    </Modal>
  );
}

function AttemptRow({ attempt }: { attempt: WebhookAttempt }) {
  const { t } = useTranslation(['notifications', 'words']);
  const format = useFormat();
  const resend = useChange(resendWebhookAttempt, [keys.events]);
  const tell = useTellAttempt();
  const { id, status, answer, error, tookMs } = attempt;
  const at = format.dateTime(attempt.at);
  const kind = EventKind.safeParse(attempt.kind);
  const isTaken = status >= 200 && status < 300;
  return (
    <Table.Tr>
      <Table.Td>{kind.success ? t(`kind.${kind.data}`) : t('hooks.testKind')}</Table.Td>
      <Table.Td data-label={t('words:time')}>{at}</Table.Td>
      <Table.Td data-label={t('words:answer')} maw={280}>
        <Chip tone={isTaken ? 'gray' : severityTone('danger')}>
          {status === 0 ? t('hooks.noAnswer') : <bdi>{status}</bdi>}
        </Chip>{' '}
        <Text span size="xs" c="dimmed">
          {t('words:ms', { ms: format.number(tookMs) })}
        </Text>
        <div>
          <bdi dir="auto" className={classes['answer']}>
            {(answer || connectionWords(error)).slice(0, 200)}
          </bdi>
        </div>
      </Table.Td>
      <Table.Td ta="end">
        <Button
          size="xs"
          variant="default"
          loading={resend.isPending}
          onClick={() => resend.mutate({ params: { id } }, { onSuccess: tell, onError: announceFailure })}
          aria-label={t('hooks.resendNamed', { at })}
        >
          {t('hooks.resend')}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
