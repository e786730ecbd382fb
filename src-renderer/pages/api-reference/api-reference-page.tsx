import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CallError } from '../../api/transport.ts';
import { useTransport } from '../../api/transport-context.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { callsOf, type ApiDocument } from './api-document.ts';
import classes from './api-reference.module.css';
import { CallDetail } from './call-detail.tsx';
import { CallList } from './call-list.tsx';

const DOCUMENT = '/panel/api/openapi.json';

/** Every call of the panel, read from the document it serves, so that this reference cannot drift from the code. */
export function ApiReferencePage() {
  const { t } = useTranslation(['apiReference', 'words']);
  const transport = useTransport();
  // Kept by this page alone: leaving it discards the token.
  const [token, setToken] = useState('');
  const [params, setParams] = useSearchParams();
  const document = useQuery({
    queryKey: ['apiDocument'],
    queryFn: async ({ signal }) => {
      const { status, body } = await transport.send({ method: 'GET', path: DOCUMENT, signal });
      if (status === 401) throw new CallError('signedOut', 'signed out');
      if (status !== 200) throw new CallError('unexpected', `HTTP ${status}`);
      const { paths, components } = body as ApiDocument;
      return { calls: callsOf({ paths, components }), schemas: components.schemas };
    },
    staleTime: Infinity,
  });
  const search = params.get('q') ?? '';
  const current = params.get('call');
  const handleSearch = (text: string): void =>
    setParams(
      { ...(text === '' ? {} : { q: text }), ...(current === null ? {} : { call: current }) },
      { replace: true },
    );
  return (
    <Page
      title={t('words:apiReference')}
      actions={
        <Anchor href={transport.fileUrl(DOCUMENT)} download="openapi.json" size="sm">
          {t('document')}
        </Anchor>
      }
    >
      <Text size="sm">{t('intro')}</Text>
      <QueryView query={document}>
        {({ calls, schemas }) => {
          const call = calls.find(({ id }) => id === current);
          return (
            <div className={classes['columns']} data-open={call !== undefined || undefined}>
              <CallList calls={calls} current={current} search={search} onSearch={handleSearch} />
              {call === undefined ? (
                <EmptyState text={t('choose')} />
              ) : (
                <CallDetail call={call} schemas={schemas} token={token} onToken={setToken} />
              )}
            </div>
          );
        }}
      </QueryView>
    </Page>
  );
}
