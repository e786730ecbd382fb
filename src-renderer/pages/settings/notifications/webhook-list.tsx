import { ActionIcon, Button, Group, Switch, Table, Text } from '@mantine/core';
import { IconListDetails, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { deleteWebhook, saveWebhook, testWebhook, type Webhook } from '#contract/webhooks';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { confirmAction } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { useKeptRow } from '../../../forms/conflict/use-kept-row.ts';
import { useTellAttempt, useWebhooks } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookLog } from './webhook-log.tsx';

/** External programs that are notified of events. */
export function WebhookList() {
  const { t } = useTranslation(['notifications', 'words']);
  const webhooks = useWebhooks();
  const editor = useDialogParam('webhook');
  const log = useDialogParam('deliveries');
  const found = (id: string | null): Webhook | undefined => webhooks.data?.find((one) => String(one.id) === id);
  const edited = useKeptRow(editor.value, found(editor.value));
  const looked = found(log.value);
  return (
    <TitledCard title={t('hooks.title')} actions={<Button onClick={() => editor.open('new')}>{t('hooks.add')}</Button>}>
      <Text size="sm">{t('hooks.text')}</Text>
      <QueryView query={webhooks} empty={<EmptyState text={t('hooks.none')} />}>
        {(rows) => (
          <CardTable
            minWidth={560}
            columns={[t('words:name'), t('words:address'), t('hooks.enabled')]}
            actions={t('words:actions')}
          >
            {rows.map((row) => (
              <WebhookRow
                key={row.id}
                webhook={row}
                onEdit={() => editor.open(String(row.id))}
                onLog={() => log.open(String(row.id))}
              />
            ))}
          </CardTable>
        )}
      </QueryView>
      {(editor.value === 'new' || edited !== undefined) && (
        <WebhookDialog key={editor.value} webhook={edited ?? null} onClose={editor.close} />
      )}
      {looked !== undefined && <WebhookLog webhook={looked} onClose={log.close} />}
    </TitledCard>
  );
}

interface WebhookRowProps {
  webhook: Webhook;
  onEdit: () => void;
  onLog: () => void;
}

function WebhookRow({ webhook: { id, name, url, enabled }, onEdit, onLog }: WebhookRowProps) {
  const { t } = useTranslation(['notifications', 'words']);
  const save = useChange(saveWebhook, [keys.events]);
  const remove = useChange(deleteWebhook, [keys.events]);
  const test = useChange(testWebhook, [keys.events]);
  const tell = useTellAttempt();
  const handleDelete = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('hooks.deleteTitle', { name }),
      text: t('hooks.deleteText'),
      action: t('hooks.delete'),
    });
    if (isSure) remove.mutate({ params: { id } }, { onError: announceFailure });
  };
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <bdi>{name}</bdi>
      </Table.Th>
      <Table.Td data-label={t('words:address')} maw={320}>
        <Text size="sm" truncate title={url} span display="block">
          <bdi dir="ltr">{url}</bdi>
        </Text>
      </Table.Td>
      <Table.Td data-label={t('hooks.enabled')}>
        <Switch
          aria-label={t('hooks.toggle', { name })}
          checked={enabled}
          onChange={(event) =>
            save.mutate({ body: { id, enabled: event.currentTarget.checked } }, { onError: announceFailure })
          }
        />
      </Table.Td>
      <Table.Td ta="end">
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Verb
            label={t('hooks.testNamed', { name })}
            isBusy={test.isPending}
            onClick={() => test.mutate({ params: { id } }, { onSuccess: tell, onError: announceFailure })}
          >
            <IconSend size={18} />
          </Verb>
          <Verb label={t('hooks.logNamed', { name })} onClick={onLog}>
            <IconListDetails size={18} />
          </Verb>
          <Verb label={t('hooks.editNamed', { name })} onClick={onEdit}>
            <IconPencil size={18} />
          </Verb>
          <Verb label={t('hooks.deleteNamed', { name })} color="red" onClick={() => void handleDelete()}>
            <IconTrash size={18} />
          </Verb>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface VerbProps {
  label: string;
  color?: string;
  isBusy?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

function Verb({ label, color = 'gray', isBusy = false, onClick, children }: VerbProps) {
  return (
    <ActionIcon
      variant="subtle"
      color={color}
      size={36}
      aria-label={label}
      title={label}
      loading={isBusy}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}
