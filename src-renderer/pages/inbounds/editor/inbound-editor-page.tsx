import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { getCountedInbound, listFallbacks, listInboundOptions, type CountedInbound } from '#contract/inbounds';
import { jsonText } from '../../../forms/draft/json.ts';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { JsonEditor } from '../../../ui/json/json-editor.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { isProtocol } from '#wire/protocol-catalogue';
import { fromRecipe, newDraft, toClone, toForm } from '../model/draft.ts';
import { InboundEditor } from './inbound-editor.tsx';
import { randomPort } from './parts/random-text.ts';
import type { FallbackRule } from './sections/fallbacks.tsx';

/** A new inbound (`/inbounds/new`, `?from=7` for a copy, `?node=3` on a node) or a stored one (`/inbounds/7`). */
export function InboundEditorPage() {
  const { t } = useTranslation('inboundEditor');
  const { id: param = 'new' } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const call = useCall();
  const id = param === 'new' ? 0 : Number(param);
  const source = id === 0 ? Number(search.get('from') ?? 0) : id;
  const loaded = useQuery({
    // Fresher data must not replace an edit in progress: the editor starts from what it was opened with.
    queryKey: [...keys.inbounds, 'edit', id, source],
    queryFn: async ({ signal }) => ({
      row: source === 0 ? null : await call(getCountedInbound, { params: { id: String(source) } }, signal),
      rules: id === 0 ? [] : (await call(listFallbacks, { params: { id: String(id) } }, signal)).map(ruleOf),
      options: await call(listInboundOptions, {}, signal),
    }),
    gcTime: 0,
    staleTime: Infinity,
  });
  const [port] = useState(randomPort);
  const { recipe } = Object(useLocation().state) as { recipe?: unknown };
  const nodeId = Number(search.get('node') ?? 0) || null;
  const leave = (): void => void navigate('/panel/inbounds');
  const name = loaded.data?.row?.remark ?? '';
  return (
    <Page title={id === 0 ? t('titleNew') : t('titleEdit', { name: name || `#${id}` })}>
      <QueryView query={loaded}>
        {({ row, rules, options }) =>
          row !== null && id !== 0 && !isProtocol(row.protocol) ? (
            <ReadOnlyInbound row={row} />
          ) : (
            <InboundEditor
              key={`${id} ${source}`}
              id={id}
              initial={
                row === null
                  ? { ...newDraft(port), ...fromRecipe(recipe), nodeId }
                  : id === 0
                    ? toClone(row, t('cloneSuffix'), port)
                    : toForm(row)
              }
              storedRules={rules}
              options={options}
              onSaved={leave}
              onLeave={leave}
            />
          )
        }
      </QueryView>
    </Page>
  );
}

const ruleOf = ({ childId, name, alpn, path, dest, xver }: FallbackRule): FallbackRule => ({
  childId,
  name,
  alpn,
  path,
  dest,
  xver,
});

/** Kinds of older panels that can no longer be created. */
function ReadOnlyInbound({ row }: { row: CountedInbound }) {
  const { t } = useTranslation('inboundEditor');
  return (
    <Stack>
      <Alert color="yellow">{t('readOnly', { protocol: row.protocol })}</Alert>
      <JsonEditor label={t('json.label')} value={jsonText(toForm(row))} readOnly minHeight={280} />
    </Stack>
  );
}
