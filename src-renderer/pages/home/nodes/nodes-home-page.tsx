import { Button, SegmentedControl, Select, Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { Node } from '#contract/nodes';
import { nodeHistory } from '#contract/nodes/probes';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useRefusalTexts } from '../../../i18n/use-refusal-texts.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useNodes } from '../../nodes/use-nodes.ts';
import { cardOfNode, lineFrom } from './node-cards.ts';
import { PanelGroups } from '../panels/panel-groups.tsx';
import { sortPanels, type Sort } from '../panels/panel-model.ts';
import { SumsBar } from '../panels/sums-bar.tsx';
import { useSlowNow } from '../panels/use-slow-now.ts';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';

/** The stream brings the list every five seconds; connections without one have to poll. */
const LOOK_AGAIN_MS = 15_000;
const LINES_EVERY_MS = 5 * 60_000;
const SORTS = ['need', 'name'] as const;
const LAYOUTS = ['cards', 'rows'] as const;

/** All nodes of this panel, laid out as the desktop window shows all panels. */
export function NodesHomePage() {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const nodes = useNodes(LOOK_AGAIN_MS);
  useRefusalTexts(nodes.data?.some((node) => node.lastError !== '' || node.syncError !== '') ?? false);
  const [search, setSearch] = useAddressParams();
  const sort: Sort = search.get('sort') === 'name' ? 'name' : 'need';
  const layout = search.get('view') === 'rows' ? 'rows' : 'cards';
  const nowMs = useSlowNow();
  const lines = useLines(nodes.data ?? [], nowMs);
  const set = (name: string, value: string): void => setSearch({ [name]: value }, { replace: true });
  return (
    <Page
      title={t('fleet.title')}
      actions={
        <>
          <Select
            aria-label={t('sort.label')}
            w={150}
            allowDeselect={false}
            value={sort}
            data={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
            onChange={(value) => set('sort', value ?? 'need')}
          />
          <SegmentedControl
            aria-label={t('layout.label')}
            value={layout}
            data={LAYOUTS.map((value) => ({ value, label: t(`layout.${value}`) }))}
            onChange={(value) => set('view', value)}
          />
          <Button variant="default" component={Link} to="/panel/nodes">
            {t('fleet.back')}
          </Button>
        </>
      }
    >
      <QueryView query={nodes} empty={<EmptyState text={t('fleet.empty')} />}>
        {(rows) => {
          const panels = rows.map((node) => cardOfNode(node, lines.get(node.id) ?? []));
          return (
            <Stack>
              <SumsBar cards={panels.map(({ card }) => card)} />
              <PanelGroups
                panels={sortPanels(panels, sort, [])}
                layout={layout}
                isWall={false}
                nowMs={nowMs}
                verbs={null}
                onOpen={(id) => void navigate(/^\d+$/.test(id) ? `/panel/nodes?show=${id}` : '/panel/nodes')}
              />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}

/** Throughput of the last hour of each node this panel manages itself; it cannot ask the ones behind them. */
function useLines(nodes: readonly Node[], nowMs: number): ReadonlyMap<number, (number | null)[]> {
  const call = useCall();
  const own = nodes.filter(({ id, enable }) => id > 0 && enable).map(({ id }) => id);
  const read = useQueries({
    queries: own.flatMap((id) =>
      (['netUp', 'netDown'] as const).map((metric) => ({
        queryKey: [...keys.nodes, 'hour', id, metric],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          call(nodeHistory, { params: { id: String(id), metric, bucket: '60' } }, signal),
        staleTime: LINES_EVERY_MS,
        refetchInterval: LINES_EVERY_MS,
      })),
    ),
  });
  return new Map(
    own.map((id, index) => [id, lineFrom(read[2 * index]?.data ?? [], read[2 * index + 1]?.data ?? [], nowMs)]),
  );
}
