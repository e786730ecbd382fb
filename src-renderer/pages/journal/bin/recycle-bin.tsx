import { Button, Group, Pagination, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listBin, type BinItem } from '#contract/journal';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { SearchField } from '../../../ui/layout/search-field.tsx';
import { announceDone } from '../../../ui/notices/announce.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useExistingPage } from '../../../ui/address/use-existing-page.ts';
import { useBinAddress } from './bin-address.ts';
import { BIN_KINDS, keyOf } from './bin-items.ts';
import { BinTable } from './bin-table.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { useRestore } from './use-restore.ts';

const PAGE_SIZE = 50;
const SEARCH_AFTER_MS = 250;

/** What was deleted within thirty days: restore it, or erase it for good. */
export function RecycleBin() {
  const { t } = useTranslation(['journal', 'words']);
  const format = useFormat();
  const { address, change } = useBinAddress();
  const { kind, search, page } = address;
  const [chosen, setChosen] = useState<ReadonlyMap<string, BinItem>>(new Map());
  const [erased, setErased] = useState<readonly BinItem[]>([]);
  const { restore, isRestoring } = useRestore();
  const query = { kind, search, skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  const list = useRead(listBin, { query }, [...keys.journal, 'bin', kind, search, page], {
    // No event tells of deletions: each visit has those before it.
    staleTime: 0,
  });
  useExistingPage({ page, size: PAGE_SIZE, total: list.data?.total });
  const set: typeof change = (name, value) => {
    setChosen(new Map());
    change(name, value);
  };
  const toggle = (item: BinItem): void =>
    setChosen((before) => {
      const next = new Map(before);
      if (!next.delete(keyOf(item))) next.set(keyOf(item), item);
      return next;
    });

  async function handleRestore(items: readonly BinItem[]): Promise<void> {
    const restored = await restore(items);
    setChosen(new Map());
    if (restored > 0) announceDone(t('bin.restored', { count: restored }));
  }

  const selected = [...chosen.values()];
  return (
    <>
      <Hint>{t('bin.meaning')}</Hint>
      <Group gap="xs">
        <SearchField
          label={t('words:name')}
          value={search}
          onSearch={(text) => set('q', text)}
          afterMs={SEARCH_AFTER_MS}
        />
        <Select
          aria-label={t('filter.kind')}
          placeholder={t('filter.anyKind')}
          clearable
          data={BIN_KINDS.map((value) => ({ value, label: t(`kindName.${value}`) }))}
          value={kind === '' ? null : kind}
          onChange={(value) => set('kind', value ?? '')}
        />
        {selected.length > 0 && (
          <>
            <Button loading={isRestoring} onClick={() => void handleRestore(selected)}>
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
        isEmpty={({ total }) => total === 0}
        empty={<EmptyState text={search === '' && kind === '' ? t('bin.none') : t('noMatch')} />}
      >
        {({ items, total }) => (
          <>
            <BinTable
              items={items}
              isChosen={(item) => chosen.has(keyOf(item))}
              onToggle={toggle}
              onRestore={(item) => void handleRestore([item])}
              onErase={(item) => setErased([item])}
            />
            {total > PAGE_SIZE && (
              <Pagination
                total={Math.ceil(total / PAGE_SIZE)}
                value={page}
                onChange={(next) => set('page', next === 1 ? '' : String(next))}
                getItemProps={(number) => ({ children: format.number(number), 'aria-label': format.number(number) })}
                getControlProps={(control) => ({ 'aria-label': t(`bin.page.${control}`) })}
              />
            )}
          </>
        )}
      </QueryView>
      {erased.length > 0 && (
        <EraseDialog
          items={erased}
          onClose={() => setErased([])}
          onErased={() => {
            setErased([]);
            setChosen(new Map());
          }}
        />
      )}
    </>
  );
}
