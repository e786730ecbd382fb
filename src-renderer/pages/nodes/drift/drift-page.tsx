import { Anchor, Button, Group, Pagination, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { driftBoard, readDrift, setRemoteEdits, type DriftBoard, type DriftRow } from '#contract/nodes/drift';
import { useCall } from '../../../api/transport-context.tsx';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useExistingPage } from '../../../ui/address/use-existing-page.ts';
import toolbar from '../../../ui/layout/toolbar.module.css';
import { Hint } from '../../../ui/layout/hint.tsx';
import { useNodes } from '../use-nodes.ts';
import { DriftItem } from './drift-item.tsx';
import { DriftVerbs } from './drift-verbs.tsx';
import { driftKey, useSettle } from './use-settle.ts';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';

const PAGE_SIZE = 25;
const LOOK_AGAIN_MS = 60_000;
const ARRIVES_WITHIN_MS = 3_000;

/** A node's present values, those this panel wants, and those last applied, with a decision for each difference. */
export function DriftPage() {
  const { t } = useTranslation('nodes');
  const id = useParams()['id'] ?? '0';
  const nodes = useNodes(LOOK_AGAIN_MS);
  const name = nodes.data?.find((node) => String(node.id) === id)?.name ?? `#${id}`;
  const reading = useRead(readDrift, { params: { id } }, [...driftKey(id), 'read'], {
    // The values shown were read when the page was opened, or by the button.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    // Changes sent just now have not arrived yet.
    refetchInterval: ({ state }) => ((state.data?.underWay ?? 0) > 0 ? ARRIVES_WITHIN_MS : false),
  });
  return (
    <Page
      title={t('drift.title', { name })}
      actions={
        <Button variant="default" loading={reading.isFetching} onClick={() => void reading.refetch()}>
          {t('drift.refresh')}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" maw={720}>
        {t('drift.intro')}{' '}
        <Anchor component={Link} to={`/panel/nodes?show=${id}`} size="sm" underline="always">
          {t('drift.back')}
        </Anchor>
      </Text>
      <QueryView query={reading}>{({ readAt }) => <Board id={id} name={name} readAt={readAt} />}</QueryView>
    </Page>
  );
}

function Board({ id, name, readAt }: { id: string; name: string; readAt: number }) {
  const [params, setParams] = useAddressParams();
  const kind = params.get('kind') === 'client' ? 'client' : 'inbound';
  const isAll = params.get('all') === '1';
  const page = Math.max(1, Number(params.get('page') ?? '1') || 1);
  const call = useCall();
  const board = useQuery({
    queryKey: [...driftKey(id), readAt, kind, isAll, page],
    queryFn: ({ signal }) => {
      const query = { kind, differs: isAll ? 'false' : 'true', page, pageSize: PAGE_SIZE } as const;
      return call(driftBoard, { params: { id }, query }, signal);
    },
    placeholderData: (before) => before,
  });
  useExistingPage({ page, size: PAGE_SIZE, total: board.isPlaceholderData ? undefined : board.data?.total });
  const go = (part: Record<string, string>): void => setParams({ page: null, ...part });
  return (
    <QueryView query={board}>
      {(data) => (
        <Stack>
          <Filters id={id} data={data} kind={kind} isAll={isAll} onGo={go} />
          <Rows key={readAt} id={id} name={name} data={data} />
          {data.total > PAGE_SIZE && <Pages page={page} total={data.total} onGo={go} />}
        </Stack>
      )}
    </QueryView>
  );
}

interface FiltersProps {
  id: string;
  data: DriftBoard;
  kind: string;
  isAll: boolean;
  onGo: (part: Record<string, string>) => void;
}

function Filters({ id, data, kind, isAll, onGo }: FiltersProps) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const edits = useChange(setRemoteEdits, [driftKey(id)]);
  const counted = (which: 'inbound' | 'client', { differ }: { differ: number }) => ({
    value: which,
    label: t(`drift.kind.${which}`, { count: format.number(differ) }),
  });
  return (
    <>
      <Group className={toolbar['fields'] ?? ''} align="end">
        <SegmentedControl
          aria-label={t('drift.what')}
          data={[counted('inbound', data.inbounds), counted('client', data.clients)]}
          value={kind}
          onChange={(value) => onGo({ kind: value })}
        />
        <SegmentedControl
          aria-label={t('drift.filter')}
          data={[
            { value: '0', label: t('drift.differs') },
            { value: '1', label: t('drift.all') },
          ]}
          value={isAll ? '1' : '0'}
          onChange={(value) => onGo({ all: value })}
        />
        <Select
          label={t('drift.edits.label')}
          data={(['follow', 'show'] as const).map((value) => ({ value, label: t(`drift.edits.${value}`) }))}
          value={data.remoteEdits}
          allowDeselect={false}
          disabled={edits.isPending}
          onChange={(value) =>
            edits.mutate(
              { params: { id }, body: { remoteEdits: value === 'show' ? 'show' : 'follow' } },
              { onError: announceFailure },
            )
          }
        />
      </Group>
      <Hint>
        {t(`drift.editsText.${data.remoteEdits}`)} {t('drift.readAt', { time: format.dateTime(data.readAt) })}
      </Hint>
    </>
  );
}

function Rows({ id, name, data }: { id: string; name: string; data: DriftBoard }) {
  const { t } = useTranslation('nodes');
  const [picked, setPicked] = useState<ReadonlyMap<string, DriftRow>>(new Map());
  const { settle, isPending } = useSettle(id, name, () => setPicked(new Map()));
  const pick = (row: DriftRow, isOn: boolean): void =>
    setPicked((before) => {
      const next = new Map(before);
      if (isOn) next.set(idOf(row), row);
      else next.delete(idOf(row));
      return next;
    });
  const hasDifferences = data.inbounds.differ + data.clients.differ > 0;
  return (
    <>
      {hasDifferences && (
        <DriftVerbs data={data} picked={[...picked.values()]} isPending={isPending} onSettle={settle} />
      )}
      {data.isCut && <Text size="sm">{t('drift.cut')}</Text>}
      {data.rows.length === 0 && <Text>{t(hasDifferences ? 'drift.noneOfThese' : 'drift.none')}</Text>}
      {data.rows.map((row) => (
        <DriftItem
          key={idOf(row)}
          row={row}
          isPicked={picked.has(idOf(row))}
          isPending={isPending}
          onPick={(isOn) => pick(row, isOn)}
          onSettle={(verb) => void settle(verb, [row])}
        />
      ))}
    </>
  );
}

function Pages({ page, total, onGo }: { page: number; total: number; onGo: (part: Record<string, string>) => void }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  return (
    <Group component="nav" aria-label={t('drift.pages')}>
      <Pagination
        size="sm"
        total={Math.ceil(total / PAGE_SIZE)}
        value={page}
        onChange={(next) => onGo({ page: String(next) })}
        getItemProps={(at) => ({ children: format.number(at), 'aria-label': format.number(at) })}
        getControlProps={(control) => ({ 'aria-label': t(`drift.control.${control as 'next' | 'previous'}`) })}
      />
    </Group>
  );
}

const idOf = ({ kind, key }: DriftRow): string => `${kind} ${key}`;
