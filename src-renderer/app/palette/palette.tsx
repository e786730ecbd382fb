import { Spotlight, spotlight } from '@mantine/spotlight';
import { keepPreviousData } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listClientsPaged } from '#contract/clients/list';
import { keys } from '../../api/keys.ts';
import { failureOf, useRead } from '../../api/use-read.ts';
import { NAVIGATION } from '../navigation.ts';
import { usePaletteInbounds } from './palette-inbounds.ts';
import { usePaletteSettings } from './palette-settings.ts';
import { usePaletteVerbs } from './palette-verbs.ts';
import { useOpenPage } from '../../forms/leave-blocker.tsx';

const SEARCH_AFTER_MS = 250;
const FOUND = 7;
/** The list of entries, and a part of their ids. */
const LIST_ID = 'palette-entries';

/**
 * Pages by name, clients by e-mail, inbounds by name, what can be done from anywhere, settings by name.
 * @param opened rises each time it is to be opened
 */
export function Palette({ opened }: { opened: number }) {
  const { t } = useTranslation(['shell', 'words']);
  const openPage = useOpenPage();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS);
  const found = useRead(
    listClientsPaged,
    { query: { search, pageSize: String(FOUND) } },
    [...keys.clients, 'palette', search],
    {
      enabled: search !== '',
      placeholderData: keepPreviousData,
    },
  );
  const holdsText = (words: string): boolean => words.toLowerCase().includes(text.trim().toLowerCase());
  const isNamed = ({ label }: { label: string }): boolean => holdsText(label);
  const verbs = usePaletteVerbs().filter(isNamed);
  const settings = usePaletteSettings(text);
  const pages = NAVIGATION.map(({ path, name, icon: Icon }) => ({
    id: path,
    label: t(name),
    leftSection: <Icon size={18} />,
    onClick: () => openPage(path),
  })).filter(isNamed);
  // What was found for other words stays only where it fits those of now: Enter opens the first entry.
  const isUpToDate = search === text.trim() && !found.isPlaceholderData;
  const isSearching = search !== text.trim() || found.isFetching;
  const clients = (search === '' ? [] : (found.data?.items ?? []))
    .filter(({ email, comment }) => isUpToDate || holdsText(`${email}\n${comment}`))
    .map(({ email, comment }) => ({
      id: `client ${email}`,
      label: email,
      description: comment,
      onClick: () => openPage(`/panel/clients?client=${encodeURIComponent(email)}`),
    }));
  const inbounds = usePaletteInbounds(text);
  const groups = [
    { group: t('nav.label'), actions: pages },
    { group: t('nav.clients'), actions: clients },
    { group: t('nav.inbounds'), actions: inbounds },
    { group: t('words:actions'), actions: verbs },
    { group: t('nav.settings'), actions: settings },
    // The kit takes an empty group for something found.
  ].filter(({ actions }) => actions.length > 0);
  useNamedMark(groups.length === 0);
  useEffect(() => {
    if (opened > 0) spotlight.open();
  }, [opened]);
  // The kit marks the first entry as the text changes; those that the server finds come later.
  useEffect(() => {
    const list = document.querySelector('.mantine-Spotlight-actionsList');
    if (text.trim() !== '' && list?.querySelector('[data-selected]') === null)
      list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  }, [text, found.data, settings.length, inbounds.length]);
  return (
    <Spotlight
      shortcut={null}
      attributes={{ content: { 'aria-label': t('palette.label') } }}
      query={text}
      onQueryChange={setText}
      filter={(_, actions) => actions}
      actions={groups.map(({ group, actions }) => ({
        group,
        actions: actions.map((action) => ({ ...action, role: 'option' })),
      }))}
      nothingFound={failureOf(found) ?? (isSearching ? undefined : t('palette.nothing'))}
      searchProps={{
        placeholder: t('palette.label'),
        'aria-label': t('palette.label'),
        role: 'combobox',
        'aria-autocomplete': 'list',
        'aria-expanded': groups.length > 0,
        'aria-controls': LIST_ID,
      }}
      scrollAreaProps={{
        viewportProps: { id: LIST_ID, tabIndex: 0, role: 'listbox', 'aria-label': t('palette.label') },
      }}
    />
  );
}

/** The kit shows the entry that Enter opens by its colour alone: says to screen readers which one it is. */
function useNamedMark(isEmpty: boolean): void {
  useEffect(() => {
    let named = 0;
    const name = (): void => {
      const list = document.querySelector(`#${LIST_ID}`);
      const marked = list?.querySelector('[data-selected]') ?? null;
      for (const before of list?.querySelectorAll('[aria-selected]') ?? []) before.removeAttribute('aria-selected');
      marked?.setAttribute('aria-selected', 'true');
      if (marked?.id === '') marked.id = `${LIST_ID}-${(named += 1)}`;
      document.querySelector(`[aria-controls="${LIST_ID}"]`)?.setAttribute('aria-activedescendant', marked?.id ?? '');
    };
    const marks = new MutationObserver(name);
    marks.observe(document.body, { subtree: true, attributeFilter: ['data-selected'] });
    return () => marks.disconnect();
  }, []);
  useEffect(() => {
    if (isEmpty) document.querySelector(`[aria-controls="${LIST_ID}"]`)?.removeAttribute('aria-activedescendant');
  }, [isEmpty]);
}
