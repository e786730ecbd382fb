import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { MAX_SEARCH_LENGTH, type PanelHit } from '../../../../src-main/bridge/panels.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { latinKey } from '../../../ui/latin-key.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { pathOfHit } from './hit-path.ts';
import classes from '../panels/panels.module.css';
import { FoundClients, SEVERAL, severalPath } from './found-clients.tsx';

interface SearchProps {
  nameOf: (id: string) => string;
  nowMs: number;
  /** Whether the page was opened to search. */
  isWanted: boolean;
}

/** One field for everything of all panels, out of what was last read. Enter opens what was found in its panel. */
export const SearchEverywhere = memo(function SearchEverywhere({ nameOf, nowMs, isWanted }: SearchProps) {
  const { t } = useTranslation('home');
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const list = useCombobox();
  const wanted = text.trim();
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['panels', 'search', wanted],
    queryFn: () => requireDesktop().panels.search(wanted),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    // It is answered out of memory, and readings come in between.
    staleTime: 0,
    gcTime: 0,
  });
  const hits = wanted === '' ? [] : (data?.hits ?? []);
  useEffect(() => {
    if (isWanted) field.current?.focus();
  }, [isWanted]);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
      const key = latinKey(event);
      const isSearch = key === '/' || (key === 'k' && (event.ctrlKey || event.metaKey));
      if (!isSearch || (isTyping !== false && isTyping !== null && key === '/')) return;
      // An open dialog keeps the focus.
      if (document.querySelector('[role="dialog"]') !== null) return;
      field.current?.focus();
      event.preventDefault();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
  useEffect(() => {
    if (hits.length > 0) list.selectFirstOption();
    // Only for other hits: the store is a new object at each drawing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data]);
  const open = async (key: string): Promise<void> => {
    // What is on show may still be what was found for other words: Enter means the first one for these.
    const newest = isPlaceholderData ? (await requireDesktop().panels.search(wanted)).hits : hits;
    if (key === SEVERAL) return navigate(severalPath(newest));
    const isFirst = hits[0] !== undefined && keyOf(hits[0]) === key;
    const hit = newest.find((each) => keyOf(each) === key) ?? (isFirst ? newest[0] : undefined);
    if (hit === undefined) return;
    await requireDesktop().panels.open({ id: hit.panelId, path: await pathOfHit(hit) });
  };
  return (
    <Combobox store={list} withinPortal={false} onOptionSubmit={(key) => void open(key).catch(announceFailure)}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          ref={field}
          type="search"
          size="md"
          aria-label={t('search.label')}
          placeholder={t('search.hint')}
          leftSection={<IconSearch size={18} />}
          value={text}
          maxLength={MAX_SEARCH_LENGTH}
          onChange={(event) => {
            setText(event.currentTarget.value);
            list.openDropdown();
          }}
          onFocus={() => list.openDropdown()}
          onBlur={() => list.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={wanted === '' || (data === undefined && error === null)}>
        {hits.length === 0 ? (
          <Combobox.Empty>{error === null ? t('search.nothing') : error.message}</Combobox.Empty>
        ) : (
          <Combobox.Options aria-label={t('search.label')} className={classes['hits'] ?? ''}>
            {hits.map((hit) => (
              <Combobox.Option key={keyOf(hit)} value={keyOf(hit)}>
                <Hit hit={hit} panel={nameOf(hit.panelId)} nowMs={nowMs} />
              </Combobox.Option>
            ))}
            <FoundClients hits={hits} />
          </Combobox.Options>
        )}
        {data?.isCut === true && <Combobox.Footer>{t('search.cut')}</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  );
});

const keyOf = ({ panelId, kind, ref }: PanelHit): string => `${panelId} ${kind} ${ref}`;

function Hit({ hit, panel, nowMs }: { hit: PanelHit; panel: string; nowMs: number }) {
  const { t } = useTranslation('home');
  const format = useFormat();
  return (
    <div className={classes['hit']}>
      <Text size="sm" fw={600}>
        <bdi>{hit.title}</bdi>
      </Text>
      <Hint size="xs">
        {t(`kind.${hit.kind}`)} · <bdi>{panel}</bdi>
      </Hint>
      <Hint size="xs">
        <bdi>{hit.detail}</bdi>
      </Hint>
      <Hint size="xs">{t('readAt', { when: format.relative(hit.readAtMs, nowMs) })}</Hint>
    </div>
  );
}
