import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { saveFile } from '../../ui/files/save-file.ts';
import { Hint } from '../../ui/layout/hint.tsx';
import { KINDS, LEVELS, SOURCES, toText } from './log-line.ts';
import { LogLines } from './log-lines.tsx';
import { LogToolbar } from './log-toolbar.tsx';
import { useLog, type LogQuery } from './use-log.ts';
import { useAddressParams } from '../../ui/address/use-address-params.ts';

const QUERY_AFTER_MS = 250;
const EMPTY_TEXTS = { panel: 'none', core: 'noCore', access: 'noAccess' } as const;

/** Live logs of the panel, of its core, and of accesses. */
export function LogsPage() {
  const { t } = useTranslation(['logs', 'shell']);
  const cache = useQueryClient();
  const [params, setParams] = useAddressParams();
  const [view, setView] = useState({ isPaused: false, isFollowing: true, isWrapped: false, moment: '' });
  const query = readAddress(params);
  const [settled] = useDebouncedValue(query, QUERY_AFTER_MS);
  const log = useLog(settled, view.isPaused);
  const handleQuery = (part: Partial<LogQuery>): void =>
    setParams((now) => new URLSearchParams(toAddress({ ...readAddress(now), ...part })), { replace: true });
  const handleView = (part: Partial<typeof view>): void => {
    // A fetch under way would still bring lines from after the pause; the first fetch of a list is awaited.
    if (part.isPaused === true)
      void cache.cancelQueries({ queryKey: ['logs'], predicate: ({ state }) => state.data !== undefined });
    setView((before) => ({ ...before, ...part }));
  };
  const empty = settled.filter === '' ? t(EMPTY_TEXTS[settled.source]) : t('none');
  return (
    <Page title={t('shell:nav.logs')}>
      <LogToolbar
        query={query}
        onQuery={handleQuery}
        view={view}
        onView={handleView}
        onDownload={
          log.data === undefined ? undefined : () => saveFile(`${settled.source}.log`, toText(log.data), 'text/plain')
        }
      />
      <Hint>
        {log.data === undefined ? '…' : t('lines', { count: log.data.length })}
        {view.isPaused && ` · ${t('paused')}`}
      </Hint>
      <QueryView query={log} empty={<EmptyState text={empty} />}>
        {(held) => (
          <LogLines
            lines={held}
            isWrapped={view.isWrapped}
            isFollowing={view.isFollowing}
            onFollow={(isFollowing) => setView((before) => ({ ...before, isFollowing }))}
            moment={view.moment}
          />
        )}
      </QueryView>
    </Page>
  );
}

function readAddress(params: URLSearchParams): LogQuery {
  const oneOf = <T extends string>(choices: readonly T[], name: string, standard: T): T =>
    choices.find((choice) => choice === params.get(name)) ?? standard;
  const hidden = params.get('hide')?.split(',') ?? [];
  return {
    source: oneOf(SOURCES, 'source', 'panel'),
    level: oneOf(LEVELS, 'level', 'info'),
    hidden: KINDS.filter((kind) => hidden.includes(kind)),
    filter: params.get('q') ?? '',
  };
}

function toAddress({ source, level, hidden, filter }: LogQuery): Record<string, string> {
  return {
    source,
    ...(level === 'info' ? {} : { level }),
    ...(hidden.length === 0 ? {} : { hide: hidden.join(',') }),
    ...(filter === '' ? {} : { q: filter }),
  };
}
