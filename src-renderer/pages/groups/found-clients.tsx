import { Checkbox, ScrollArea, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listClientsPaged } from '#contract/clients/list';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { Hint } from '../../ui/layout/hint.tsx';
import classes from './groups.module.css';

const SHOWN = 50;

interface FoundClientsProps {
  group: string;
  search: string;
  isMembersOnly: boolean;
  changes: ReadonlyMap<string, boolean>;
  onTick: (email: string, isMember: boolean, wasMember: boolean) => void;
}

/** The first search results, each with a check box for this group and its present group. */
export function FoundClients({ group, search, isMembersOnly, changes, onTick }: FoundClientsProps) {
  const { t } = useTranslation('groups');
  const query = { search, group: isMembersOnly ? group : '', sort: 'email', order: 'ascend', pageSize: String(SHOWN) };
  const found = useRead(listClientsPaged, { query }, [...keys.clients, 'picker', query], {
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView
      query={found}
      isEmpty={({ items }) => items.length === 0}
      empty={<Text c="dimmed">{t('pick.nobody')}</Text>}
    >
      {({ items, filtered }) => (
        <ScrollArea.Autosize
          mah={320}
          className={classes['found'] ?? ''}
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('pick.found') }}
        >
          {items.map(({ email, group: label }) => (
            <div key={email} className={classes['person']}>
              <Checkbox
                label={<bdi>{email}</bdi>}
                checked={changes.get(email) ?? label === group}
                onChange={(event) => onTick(email, event.currentTarget.checked, label === group)}
              />
              {label !== '' && label !== group && (
                <Hint>
                  <bdi>{label}</bdi>
                </Hint>
              )}
            </div>
          ))}
          {filtered > items.length && (
            <Text size="sm" c="dimmed" p="sm">
              {t('pick.narrow', { count: filtered - items.length })}
            </Text>
          )}
        </ScrollArea.Autosize>
      )}
    </QueryView>
  );
}
