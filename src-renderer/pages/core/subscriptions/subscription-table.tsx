import { Group, HoverCard, Menu, Stack, Switch, Table, Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  deleteOutboundSub,
  moveOutboundSub,
  refreshOutboundSub,
  updateOutboundSub,
  type OutboundSub,
} from '#contract/outboundSubs';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { serverNow } from '../../../stores/server-clock.ts';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { OpenByName } from '../../../ui/open-by-name.tsx';
import { AFTER_CHANGE } from './subs-key.ts';
import { Chip } from '../../../ui/palette/chip.tsx';
import { severityTone } from '../../../ui/palette/tones.ts';

export function SubscriptionTable({ rows, onOpen }: { rows: readonly OutboundSub[]; onOpen: (id: number) => void }) {
  const { t } = useTranslation(['core', 'words']);
  const ordered = [...rows].sort((one, other) => one.priority - other.priority);
  return (
    <CardTable
      minWidth={720}
      columns={[t('subs.enabled'), t('subs.remark'), t('subs.prefix'), t('section.outbounds'), t('subs.updated')]}
      actions={t('words:actions')}
    >
      {ordered.map((sub, index) => (
        <SubscriptionRow
          key={sub.id}
          sub={sub}
          isFirst={index === 0}
          isLast={index === ordered.length - 1}
          onOpen={() => onOpen(sub.id)}
        />
      ))}
    </CardTable>
  );
}

interface RowProps {
  sub: OutboundSub;
  isFirst: boolean;
  isLast: boolean;
  onOpen: () => void;
}

function SubscriptionRow({ sub, isFirst, isLast, onOpen }: RowProps) {
  const { t } = useTranslation(['core', 'words']);
  const format = useFormat();
  const update = useChange(updateOutboundSub, AFTER_CHANGE);
  const move = useChange(moveOutboundSub, AFTER_CHANGE);
  const refresh = useChange(refreshOutboundSub, AFTER_CHANGE);
  const remove = useChange(deleteOutboundSub, AFTER_CHANGE);
  const name = sub.remark || sub.tagPrefix;
  const params = { id: String(sub.id) };
  const onError = announceFailure;
  const handleRefresh = (): void =>
    refresh.mutate(
      { params },
      { onSuccess: (outbounds) => announceDone(t('subs.refreshed', { name, count: outbounds.length })), onError },
    );
  const handleDelete = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('delete.title', { name }),
      text: t('subs.deleteText', { count: sub.outboundCount }),
      action: t('delete.action', { name }),
    });
    if (isSure) remove.mutate({ params }, { onError });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Switch
          checked={sub.enabled}
          aria-label={t('subs.enableOne', { name })}
          onChange={(event) => update.mutate({ params, body: { enabled: event.currentTarget.checked } }, { onError })}
        />
      </Table.Td>
      <Table.Th scope="row">
        <OpenByName name={name} onOpen={onOpen} />
        <Text size="xs" c="dimmed" maw={280} truncate>
          <bdi>{sub.url}</bdi>
        </Text>
      </Table.Th>
      <Table.Td>
        <bdi>{sub.tagPrefix}</bdi>
      </Table.Td>
      <Table.Td>{format.number(sub.outboundCount)}</Table.Td>
      <Table.Td>
        <Group gap={6}>
          <Text size="sm">
            {sub.lastUpdated === 0 ? t('words:never') : format.relative(sub.lastUpdated * 1000, serverNow())}
          </Text>
          {sub.lastError !== '' && <Problem sub={sub} />}
        </Group>
      </Table.Td>
      <Table.Td ta="end">
        <RowMenu label={t('words:actionsFor', { name })}>
          <Menu.Item onClick={handleRefresh}>{t('subs.refresh')}</Menu.Item>
          <Menu.Item onClick={onOpen}>{t('words:edit')}</Menu.Item>
          <Menu.Item disabled={isFirst} onClick={() => move.mutate({ params, body: { dir: 'up' } }, { onError })}>
            {t('move.up')}
          </Menu.Item>
          <Menu.Item disabled={isLast} onClick={() => move.mutate({ params, body: { dir: 'down' } }, { onError })}>
            {t('move.down')}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => void handleDelete()}>
            {t('words:delete')}
          </Menu.Item>
        </RowMenu>
      </Table.Td>
    </Table.Tr>
  );
}

function Problem({ sub }: { sub: OutboundSub }) {
  const { t } = useTranslation('core');
  return (
    <HoverCard withinPortal>
      <HoverCard.Target>
        <UnstyledButton aria-label={t('subs.problemOf', { error: sub.lastError })}>
          <Chip tone={severityTone('danger')}>{t('subs.problem')}</Chip>
        </UnstyledButton>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <Stack gap={4} maw={420}>
          <Text size="sm">
            <bdi>{sub.lastError}</bdi>
          </Text>
          {sub.leftOut.map(({ tag, reason }) => (
            <Text key={`${tag} ${reason}`} size="xs">
              <bdi>{tag}</bdi>: <bdi>{reason}</bdi>
            </Text>
          ))}
        </Stack>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}
