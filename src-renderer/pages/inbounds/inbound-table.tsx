import { ActionIcon, Badge, Group, Menu, Switch, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { deleteInbound, resetInboundTraffic, setInboundEnable, type Inbound } from '#contract/inbounds';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { announceDone, announceFailure } from '../../ui/announce.ts';
import { confirmDeed } from '../../ui/confirm.tsx';

const ROOTS = [keys.inbounds, keys.clients];

/** Inbounds with what they are, where they listen and what went through them. */
export function InboundTable({ rows }: { rows: readonly Inbound[] }) {
  const { t } = useTranslation('inbounds');
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {(['enable', 'remark', 'kind', 'port', 'clients', 'traffic'] as const).map((column) => (
              <Table.Th scope="col" key={column}>
                {t(`column.${column}`)}
              </Table.Th>
            ))}
            <Table.Th scope="col">
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((inbound) => (
            <InboundRow key={inbound.id} inbound={inbound} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function InboundRow({ inbound }: { inbound: Inbound }) {
  const { t } = useTranslation(['inbounds', 'shell']);
  const format = useFormat();
  const toggle = useChange(setInboundEnable, ROOTS);
  const reset = useChange(resetInboundTraffic, ROOTS);
  const remove = useChange(deleteInbound, ROOTS);
  const name = inbound.remark || inbound.tag;
  const params = { id: String(inbound.id) };
  const handleDelete = async (): Promise<void> => {
    const isSure = await confirmDeed({
      title: t('remove.title', { name }),
      text: t('remove.text'),
      deed: t('remove.deed'),
      cancel: t('shell:cancel'),
    });
    if (isSure) remove.mutate({ params }, { onError: announceFailure });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Switch
          checked={inbound.enable}
          disabled={toggle.isPending}
          aria-label={t('toggle', { name })}
          onChange={(event) =>
            toggle.mutate({ params, body: { enable: event.currentTarget.checked } }, { onError: announceFailure })
          }
        />
      </Table.Td>
      <Table.Td>
        <Text fw={600}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          <bdi>{inbound.tag}</bdi>
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {kindOf(inbound).map((word) => (
            <Badge key={word} variant="light" tt="none">
              {word}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        <bdi>{inbound.listen === '' ? inbound.port : `${inbound.listen}:${inbound.port}`}</bdi>
      </Table.Td>
      <Table.Td>{format.number(inbound.clientStats.length)}</Table.Td>
      <Table.Td>
        ↑ {format.bytes(inbound.up)} · ↓ {format.bytes(inbound.down)}
      </Table.Td>
      <Table.Td ta="end">
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('menu', { name })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              onClick={() =>
                reset.mutate(
                  { params },
                  { onSuccess: () => announceDone(t('resetDone', { name })), onError: announceFailure },
                )
              }
            >
              {t('reset')}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => void handleDelete()}>
              {t('remove.deed')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
}

/** Protocol, transport and security; stored text that is no object says only the first. */
function kindOf({ protocol, streamSettings }: Inbound): string[] {
  const { network, security } = Object(streamSettings) as { network?: unknown; security?: unknown };
  return [protocol, network, security === 'none' ? undefined : security].filter(
    (word): word is string => typeof word === 'string' && word !== '',
  );
}
