import { Button, Checkbox, Group, Modal, Pagination, Select, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { eraseFromBin, listBin, restoreFromBin, type BinItem, type BinKind } from '#contract/journal';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { reasonWords } from '../../i18n/refusal-words.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { announceDone, announceFailure, announceFailures } from '../../ui/notices/announce.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { TypedAction } from '../../ui/typed-action.tsx';
import { Hint } from '../../ui/layout/hint.tsx';

const PAGE_SIZE = 50;
const ASK_AFTER_MS = 250;
const KINDS = ['client', 'inbound', 'host'] as const;
const STALE = [keys.journal, keys.clients, keys.inbounds, keys.hosts, keys.groups];

const keyOf = ({ kind, id }: BinItem): string => `${kind} ${id}`;

/** What was deleted within thirty days: back as it was, or gone for good. */
export function RecycleBin() {
  const { t } = useTranslation(['journal', 'words']);
  const format = useFormat();
  const [params, setParams] = useSearchParams();
  const kind = KINDS.find((each) => each === params.get('kind')) ?? '';
  const search = params.get('q') ?? '';
  const page = Math.max(1, Number(params.get('page')) || 1);
  const [settled] = useDebouncedValue(search, ASK_AFTER_MS);
  const [chosen, setChosen] = useState<ReadonlyMap<string, BinItem>>(new Map());
  const [erased, setErased] = useState<readonly BinItem[]>([]);
  const restore = useChange(restoreFromBin, STALE);
  const erase = useChange(eraseFromBin, [keys.journal]);
  const list = useRead(listBin, { query: { kind, search: settled, skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } }, [
    ...keys.journal,
    'bin',
    kind,
    settled,
    page,
  ]);
  const set = (name: string, value: string): void => {
    setChosen(new Map());
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (name !== 'page') next.delete('page');
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  };
  const toggle = (item: BinItem): void =>
    setChosen((before) => {
      const next = new Map(before);
      if (!next.delete(keyOf(item))) next.set(keyOf(item), item);
      return next;
    });

  async function handleRestore(items: readonly BinItem[]): Promise<void> {
    let restored = 0;
    try {
      for (const [each, ids] of byKind(items)) {
        const answer = await restore.mutateAsync({ body: { kind: each, ids } });
        restored += answer.restored;
        announceFailures(answer.skipped.map((one) => `${one.name}: ${reasonWords(one)}`));
      }
    } catch (error) {
      announceFailure(error as Error);
    }
    setChosen(new Map());
    if (restored > 0) announceDone(t('bin.restored', { count: restored }));
  }

  async function handleErase(): Promise<void> {
    try {
      for (const [each, ids] of byKind(erased)) await erase.mutateAsync({ body: { kind: each, ids } });
    } catch {
      return;
    }
    announceDone(t('bin.erased', { count: erased.length }));
    setErased([]);
    setChosen(new Map());
  }

  const selected = [...chosen.values()];
  return (
    <>
      <Hint>{t('bin.meaning')}</Hint>
      <Group gap="xs">
        <TextInput
          type="search"
          aria-label={t('words:name')}
          placeholder={t('words:name')}
          defaultValue={search}
          onChange={(event) => set('q', event.currentTarget.value)}
        />
        <Select
          aria-label={t('filter.kind')}
          placeholder={t('filter.anyKind')}
          clearable
          data={KINDS.map((value) => ({ value, label: t(`kindName.${value}`) }))}
          value={kind === '' ? null : kind}
          onChange={(value) => set('kind', value ?? '')}
        />
        {selected.length > 0 && (
          <>
            <Button loading={restore.isPending} onClick={() => void handleRestore(selected)}>
              {t('bin.restoreMany', { count: selected.length })}
            </Button>
            <Button variant="default" onClick={() => setErased(selected)}>
              {t('bin.eraseMany', { count: selected.length })}
            </Button>
          </>
        )}
      </Group>
      <QueryView
        query={list}
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState text={settled === '' && kind === '' ? t('bin.none') : t('noMatch')} />}
      >
        {({ items, total }) => (
          <>
            <CardTable
              minWidth={640}
              columns={[t('words:name'), t('words:kind'), t('bin.deleted'), t('bin.gone')]}
              actions={t('words:actions')}
            >
              {items.map((item) => (
                <Table.Tr key={keyOf(item)}>
                  <Table.Td>
                    <Checkbox
                      label={<bdi>{item.name}</bdi>}
                      checked={chosen.has(keyOf(item))}
                      onChange={() => toggle(item)}
                    />
                  </Table.Td>
                  <Table.Td data-label={t('words:kind')}>{t(`kindName.${item.kind}`)}</Table.Td>
                  <Table.Td data-label={t('bin.deleted')}>{format.dateTime(item.deletedAt)}</Table.Td>
                  <Table.Td data-label={t('bin.gone')}>{format.date(item.goneAt)}</Table.Td>
                  <Table.Td ta="end">
                    <Group gap="xs" justify="flex-end" wrap="nowrap">
                      <Button
                        size="compact-sm"
                        variant="light"
                        aria-label={t('bin.restoreNamed', { name: item.name })}
                        onClick={() => void handleRestore([item])}
                      >
                        {t('bin.restore')}
                      </Button>
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t('bin.eraseNamed', { name: item.name })}
                        onClick={() => setErased([item])}
                      >
                        {t('bin.erase')}
                      </Button>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </CardTable>
            {total > PAGE_SIZE && (
              <Pagination
                total={Math.ceil(total / PAGE_SIZE)}
                value={page}
                onChange={(next) => set('page', next === 1 ? '' : String(next))}
                getControlProps={(control) => ({ 'aria-label': t(`bin.page.${control}`) })}
              />
            )}
          </>
        )}
      </QueryView>
      {erased.length > 0 && (
        <Modal opened onClose={() => setErased([])} title={t('bin.eraseMany', { count: erased.length })}>
          <TypedAction
            name={erased.length === 1 ? erased[0]!.name : String(erased.length)}
            label={t('bin.type', { name: erased.length === 1 ? erased[0]!.name : String(erased.length) })}
            action={t('bin.erase')}
            failure={erase.error?.message ?? null}
            isBusy={erase.isPending}
            onAction={() => void handleErase()}
            onCancel={() => setErased([])}
          >
            <Text size="sm">{t('bin.eraseMeaning')}</Text>
          </TypedAction>
        </Modal>
      )}
    </>
  );
}

function byKind(items: readonly BinItem[]): [BinKind, number[]][] {
  const found = new Map<BinKind, number[]>();
  for (const { kind, id } of items) found.set(kind, [...(found.get(kind) ?? []), id]);
  return [...found];
}
