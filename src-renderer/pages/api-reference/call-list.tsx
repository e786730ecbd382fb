import { Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { matchingCalls, type ApiCall } from './api-document.ts';
import classes from './api-reference.module.css';

interface CallListProps {
  calls: readonly ApiCall[];
  /** Id of the selected call. */
  current: string | null;
  search: string;
  onSearch: (text: string) => void;
}

/** Every call, grouped by domain. */
export function CallList({ calls, current, search, onSearch }: CallListProps) {
  const { t } = useTranslation('apiReference');
  const found = matchingCalls(calls, search);
  const groups = [...new Set(found.map(({ group }) => group))].sort();
  return (
    <Paper withBorder p="sm" className={classes['index'] ?? ''}>
      <Stack gap="sm">
        <SearchField label={t('search')} value={search} onSearch={onSearch} found={found.length} miw={0} flex="none" />
        <nav aria-label={t('list')} className={classes['list']}>
          {found.length === 0 && <Text size="sm">{t('none')}</Text>}
          {groups.map((group) => (
            <section key={group} aria-label={group}>
              <Title order={2} size="h6" my="xs" dir="ltr" ta="start">
                {group}
              </Title>
              {found
                .filter((call) => call.group === group)
                .map(({ id, method, path }) => (
                  <Link
                    key={id}
                    to={`?${new URLSearchParams({ ...(search === '' ? {} : { q: search }), call: id }).toString()}`}
                    className={classes['call']}
                    aria-current={id === current ? 'page' : undefined}
                    dir="ltr"
                  >
                    <span className={classes['method']} data-method={method}>
                      {method}
                    </span>
                    {path.replace('/panel/api', '')}
                  </Link>
                ))}
            </section>
          ))}
        </nav>
      </Stack>
    </Paper>
  );
}
