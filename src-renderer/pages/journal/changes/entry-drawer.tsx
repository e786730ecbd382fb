import { Alert, Anchor, Button, Code, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readJournalEntry, type JournalField, type JournalRow } from '#contract/journal';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { reasonWords } from '../../../i18n/refusal-words.ts';
import { announceCoreWarnings, announceDone } from '../../../ui/notices/announce.ts';
import { partWords } from '../../../ui/notices/part-words.ts';
import { UndoConfirmation } from '../../../ui/undo/undo-confirmation.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { fieldWords, inWords } from './field-words.ts';
import { actorWords } from './actor-words.ts';

interface EntryDrawerProps {
  id: number;
  onClose: () => void;
  onShow: (id: number) => void;
}

const PAGE_ROWS = 100;
const TELL = { done: announceDone, coreWarnings: announceCoreWarnings };

/** One entry: who, when, from where, every value before and after; and its undo. */
export function EntryDrawer({ id, onClose, onShow }: EntryDrawerProps) {
  const { t } = useTranslation(['journal', 'shell', 'settings']);
  const call = useCall();
  const format = useFormat();
  const [isConfirming, setConfirming] = useState(false);
  const detail = useInfiniteQuery({
    queryKey: [...keys.journal, 'entry', id],
    queryFn: ({ pageParam, signal }) =>
      call(readJournalEntry, { params: { id: String(id) }, query: { skip: pageParam } }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length * PAGE_ROWS : undefined),
  });
  return (
    <Drawer opened onClose={onClose} title={t('entry', { id: format.number(id) })}>
      <QueryView query={detail}>
        {({ pages }) => {
          const { entry } = pages[0]!;
          return (
            <Stack>
              <div>
                {entry.parts.map((part) => (
                  <Text key={`${part.kind} ${part.action}`}>{partWords(t, inWords(t, part))}</Text>
                ))}
                <Hint>
                  <bdi>{actorWords(t, entry)}</bdi> · {format.dateTime(entry.at)}
                </Hint>
                <Hint size="xs">
                  <Code dir="ltr">{entry.verb}</Code>
                </Hint>
              </div>
              {entry.undoOf > 0 && (
                <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onShow(entry.undoOf)}>
                  {t('tookBack', { id: format.number(entry.undoOf) })}
                </Anchor>
              )}
              {entry.undoneBy > 0 && (
                <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onShow(entry.undoneBy)}>
                  {t('takenBackBy', { id: format.number(entry.undoneBy) })}
                </Anchor>
              )}
              {entry.undoRefusal !== '' && entry.undoneBy === 0 && (
                <Alert color="gray">
                  {reasonWords({ code: entry.undoRefusal, params: { days: 30 }, reason: t('cannotUndo') })}
                </Alert>
              )}
              {entry.undoRefusal === '' &&
                (isConfirming ? (
                  <UndoConfirmation entryIds={[id]} tell={TELL} onClose={() => setConfirming(false)} />
                ) : (
                  <Group>
                    <Button onClick={() => setConfirming(true)}>
                      {entry.undoOf > 0 ? t('redo') : t('undo.title')}
                    </Button>
                  </Group>
                ))}
              {pages
                .flatMap(({ rows }) => rows)
                .map((row) => (
                  <Changed key={`${row.table} ${row.subject} ${JSON.stringify(row.fields)}`} row={row} />
                ))}
              {detail.hasNextPage && (
                <Button
                  variant="default"
                  loading={detail.isFetchingNextPage}
                  onClick={() => void detail.fetchNextPage()}
                >
                  {t('moreRows')}
                </Button>
              )}
              <Hint size="xs">
                {t('hash')} <Code dir="ltr">{entry.hash.slice(0, 16)}</Code>
              </Hint>
            </Stack>
          );
        }}
      </QueryView>
    </Drawer>
  );
}

function Changed({ row: { subject, kind, action, fields } }: { row: JournalRow }) {
  const { t } = useTranslation(['journal', 'settings']);
  return (
    <section>
      <Title order={3} size="h6">
        <bdi>{subject}</bdi>{' '}
        <Text span size="sm" c="dimmed">
          {t(`kindName.${kind}`)} · {t(`rowAction.${action}`)}
        </Text>
      </Title>
      {fields.length > 0 && (
        <Table layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('field')}</Table.Th>
              <Table.Th scope="col">{t('before')}</Table.Th>
              <Table.Th scope="col">{t('after')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field.name}>
                <Table.Th scope="row">
                  <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
                    <bdi>{fieldWords(t, kind, field.name)}</bdi>
                  </Text>
                </Table.Th>
                <Value field={field} value={field.before} />
                <Value field={field} value={field.after} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}

function Value({ field, value }: { field: JournalField; value: JournalField['before'] }) {
  const { t } = useTranslation(['journal', 'words']);
  const format = useFormat();
  const shown = (): string => {
    if (value === null) return '–';
    if (field.isSecret) return t('secret');
    if (field.name === 'enable') return value === 0 ? t('words:no') : t('words:yes');
    if (typeof value === 'string') return value;
    if (field.name.endsWith('Bytes')) return format.bytes(value);
    return field.name.endsWith('AtMs') && value > 0 ? format.dateTime(value) : format.plain(value);
  };
  return (
    <Table.Td>
      <Text span size="sm" style={{ overflowWrap: 'anywhere' }} {...(field.isSecret ? { c: 'dimmed' } : {})}>
        <bdi>{shown()}</bdi>
      </Text>
    </Table.Td>
  );
}
