import { Badge, Button, Group, Menu, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getOutboundsTraffic, resetOutboundsTraffic, type OutboundTraffic } from '#contract/coreSettings';
import type { JsonObject } from '#wire/json';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/announce.ts';
import { useDraft } from '../model/draft-store.ts';
import { readPath, textAt } from '../model/json-edit.ts';
import { dropItem, freeTag, insertItem, moveItem, OUTBOUNDS, tagsAt } from '../model/lists.ts';
import { chainOf, dropReferences, referencesTo, renameReferences } from '../model/references.ts';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { addressOf, isTestable } from './outbound-kinds.ts';
import { TestOutcome } from './test-result.tsx';
import type { OutboundTests, TestMode } from './use-outbound-tests.ts';

interface OutboundTableProps {
  own: readonly JsonObject[];
  subscribed: readonly JsonObject[];
  tests: OutboundTests;
  mode: TestMode;
  /** @param which position in the template */
  onOpen: (which: string) => void;
}

export function OutboundTable({ own, subscribed, tests, mode, onOpen }: OutboundTableProps) {
  const { t } = useTranslation('core');
  const traffic = useTrafficByTag();
  const edit = useDraft((draft) => draft.edit);
  const template = useDraft((draft) => draft.template) ?? {};
  const [doomed, doom] = useState<number | null>(null);
  const reset = useChange(resetOutboundsTraffic, [keys.outbounds]);
  const doomedTag = doomed === null ? '' : textAt(own[doomed]?.['tag']);
  const handleCopy = (index: number): void =>
    edit((before) => {
      const outbound = own[index] ?? {};
      const tag = freeTag(textAt(outbound['tag']), tagsAt(before, OUTBOUNDS));
      return insertItem(before, OUTBOUNDS, index + 1, { ...outbound, tag });
    });
  const handleDelete = (heir: string | null): void =>
    edit((before) => {
      const without = dropItem(before, OUTBOUNDS, doomed ?? -1);
      return heir === null ? dropReferences(without, doomedTag) : renameReferences(without, doomedTag, heir);
    });
  const rows = [
    ...own.map((outbound, index) => ({ outbound, index, isOwn: true })),
    ...subscribed.map((outbound, index) => ({ outbound, index, isOwn: false })),
  ];
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table highlightOnHover verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('field.tag')}</Table.Th>
            <Table.Th scope="col">{t('field.protocol')}</Table.Th>
            <Table.Th scope="col">{t('field.address')}</Table.Th>
            <Table.Th scope="col">{t('outbounds.traffic')}</Table.Th>
            <Table.Th scope="col">{t('test.column')}</Table.Th>
            <Table.Th scope="col">
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ outbound, index, isOwn }) => {
            const tag = textAt(outbound['tag']);
            const result = tests.results[tag];
            return (
              <Table.Tr key={`${isOwn} ${index}`}>
                <Table.Td>
                  <Name
                    outbound={outbound}
                    isFirst={isOwn && index === 0}
                    isOwn={isOwn}
                    onOpen={() => onOpen(String(index))}
                  />
                </Table.Td>
                <Table.Td>
                  <Kind outbound={outbound} />
                </Table.Td>
                <Table.Td>
                  <Text size="sm" maw={240} truncate>
                    <bdi>{addressOf(outbound)}</bdi>
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Traffic row={traffic.get(tag)} />
                </Table.Td>
                <Table.Td>
                  {result === undefined && isTestable(outbound) && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      aria-label={t('test.named', { name: tag })}
                      onClick={() => void tests.run([outbound], mode)}
                    >
                      {t('test.one')}
                    </Button>
                  )}
                  {result !== undefined && <TestOutcome result={result} />}
                </Table.Td>
                <Table.Td ta="end">
                  <RowMenu label={t('menuOf', { name: tag })}>
                    <Menu.Item disabled={!isTestable(outbound)} onClick={() => void tests.run([outbound], mode)}>
                      {t('test.one')}
                    </Menu.Item>
                    {isOwn && (
                      <>
                        <Menu.Item onClick={() => onOpen(String(index))}>{t('edit')}</Menu.Item>
                        <Menu.Item onClick={() => handleCopy(index)}>{t('copy')}</Menu.Item>
                        <Menu.Item
                          disabled={index === 0}
                          onClick={() => edit((before) => moveItem(before, OUTBOUNDS, index, 0))}
                        >
                          {t('outbounds.makeDefault')}
                        </Menu.Item>
                      </>
                    )}
                    <Menu.Item onClick={() => reset.mutate({ body: { tag } }, { onError: announceFailure })}>
                      {t('outbounds.reset')}
                    </Menu.Item>
                    {isOwn && (
                      <Menu.Item color="red" onClick={() => doom(index)}>
                        {t('deleteIt')}
                      </Menu.Item>
                    )}
                  </RowMenu>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {doomed !== null && (
        <DeleteDialog
          name={doomedTag}
          references={referencesTo(template, doomedTag)}
          heirs={[...own, ...subscribed]
            .map((outbound) => textAt(outbound['tag']))
            .filter((tag) => tag !== doomedTag && tag !== '')}
          onDelete={handleDelete}
          onClose={() => doom(null)}
        />
      )}
    </Table.ScrollContainer>
  );
}

interface NameProps {
  outbound: JsonObject;
  isFirst: boolean;
  isOwn: boolean;
  onOpen: () => void;
}

function Name({ outbound, isFirst, isOwn, onOpen }: NameProps) {
  const { t } = useTranslation('core');
  const chain = chainOf(outbound);
  const tag = textAt(outbound['tag']) || t('unnamed');
  return (
    <Group gap={6}>
      {isOwn ? (
        <UnstyledButton onClick={onOpen} fw={600} fz="sm" td="underline" style={{ textUnderlineOffset: 3 }}>
          <bdi>{tag}</bdi>
        </UnstyledButton>
      ) : (
        <Text size="sm" fw={600}>
          <bdi>{tag}</bdi>
        </Text>
      )}
      {isFirst && (
        <Badge size="sm" variant="light" tt="none">
          {t('outbounds.default')}
        </Badge>
      )}
      {!isOwn && (
        <Badge size="sm" variant="light" color="gray" tt="none">
          {t('outbounds.subscribed')}
        </Badge>
      )}
      {chain !== '' && (
        <Badge size="sm" variant="light" color="grape" tt="none">
          {t('outbounds.via', { tag: chain })}
        </Badge>
      )}
    </Group>
  );
}

function Kind({ outbound }: { outbound: JsonObject }) {
  const network = textAt(readPath(outbound, ['streamSettings', 'network']));
  const security = textAt(readPath(outbound, ['streamSettings', 'security']));
  const parts = [textAt(outbound['protocol']), network, security].filter((part) => part !== '' && part !== 'none');
  return (
    <Text size="sm">
      <bdi>{parts.join(' · ')}</bdi>
    </Text>
  );
}

function Traffic({ row }: { row: OutboundTraffic | undefined }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  if (row === undefined) return null;
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      {t('outbounds.upDown', { up: format.bytes(row.up), down: format.bytes(row.down) })}
    </Text>
  );
}

/** Counted bytes, kept fresh by the live stream. */
function useTrafficByTag(): Map<string, OutboundTraffic> {
  const call = useCall();
  const { data = [] } = useQuery({
    queryKey: [...keys.outbounds, 'traffic'],
    queryFn: ({ signal }) => call(getOutboundsTraffic, {}, signal),
  });
  return new Map(data.map((row) => [row.tag, row]));
}
