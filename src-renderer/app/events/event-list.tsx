import { Anchor, Button, Group, ScrollArea, Select, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { eventAddress, listEvents, markEventsRead, type ShownEvent } from '#contract/events';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { serverTimeAt } from '../../stores/server-clock.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { useNow } from '../../ui/use-now.ts';
import { EVENT_GROUPS, type EventGroup } from './event-groups.ts';
import classes from './event-list.module.css';

const PAGE_SIZE = 20;

/** The list behind the bell: filtered by group, page by page; events that are shown count as read. */
export function EventList({ language, onLeave }: { language: string; onLeave: () => void }) {
  const { t } = useTranslation('shell');
  const call = useCall();
  const [group, setGroup] = useState<EventGroup | 'all'>('all');
  const kinds = group === 'all' ? '' : EVENT_GROUPS[group].join(',');
  const list = useInfiniteQuery({
    queryKey: [...keys.events, 'list', language, group],
    queryFn: ({ pageParam, signal }) =>
      call(listEvents, { query: { language, kinds, before: pageParam, limit: PAGE_SIZE } }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ events }) => (events.length < PAGE_SIZE ? undefined : events.at(-1)!.id),
  });
  const readUpTo = useReadMark(list.data?.pages[0], group === 'all');
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Select
          aria-label={t('bell.filter')}
          size="xs"
          w={150}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={(['all', 'core', 'nodes', 'clients', 'panel'] as const).map((value) => ({
            value,
            label: t(`bell.group.${value}`),
          }))}
          value={group}
          onChange={(next) => next !== null && setGroup(next)}
        />
        <Anchor component={Link} to="/panel/settings/notifications" size="sm" onClick={onLeave}>
          {t('bell.settings')}
        </Anchor>
      </Group>
      <ScrollArea.Autosize mah="min(420px, 60vh)">
        <QueryView
          query={list}
          isEmpty={({ pages }) => pages[0]?.events.length === 0}
          empty={<EmptyState text={t('bell.none')} />}
        >
          {({ pages }) => (
            <>
              <Stack gap={4} component="ul" className={classes['events'] ?? ''}>
                {pages
                  .flatMap(({ events }) => events)
                  .map((event) => (
                    <EventLine key={event.id} event={event} isNew={event.id > readUpTo} onLeave={onLeave} />
                  ))}
              </Stack>
              {list.hasNextPage && (
                <Button
                  variant="subtle"
                  size="xs"
                  fullWidth
                  mt={4}
                  loading={list.isFetchingNextPage}
                  onClick={() => void list.fetchNextPage()}
                >
                  {t('bell.more')}
                </Button>
              )}
            </>
          )}
        </QueryView>
      </ScrollArea.Autosize>
    </Stack>
  );
}

/** Marks the events shown as read. @returns the mark when the list was opened: later events stay marked as new */
function useReadMark(newest: { events: ShownEvent[]; readUpTo: number } | undefined, isWhole: boolean): number {
  const mark = useChange(markEventsRead, [keys.events]);
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  if (openedAt === null && newest !== undefined) setOpenedAt(newest.readUpTo);
  const upTo = isWhole ? (newest?.events[0]?.id ?? 0) : 0;
  const isBehind = newest !== undefined && upTo > newest.readUpTo;
  const { mutate } = mark;
  useEffect(() => {
    if (isBehind) mutate({ body: { upTo } });
  }, [isBehind, upTo, mutate]);
  return openedAt ?? Number.POSITIVE_INFINITY;
}

function EventLine({ event, isNew, onLeave }: { event: ShownEvent; isNew: boolean; onLeave: () => void }) {
  const { t } = useTranslation('shell');
  const format = useFormat();
  const nowMs = serverTimeAt(useNow());
  return (
    <li>
      <Link to={eventAddress(event)} className={classes['event']} onClick={onLeave}>
        <Text size="sm" fw={isNew ? 700 : 500} component="span" className={classes['multiline'] ?? ''} dir="auto">
          {isNew && <span className={classes['newMark']} role="img" aria-label={t('bell.unread')} />}
          {event.title}
        </Text>
        {event.body !== '' && (
          <Text size="xs" c="dimmed" component="span" className={classes['multiline'] ?? ''} dir="auto">
            {event.body}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="span">
          <time dateTime={new Date(event.at).toISOString()} title={format.dateTime(event.at)}>
            {format.relative(event.at, nowMs)}
          </time>
        </Text>
      </Link>
    </li>
  );
}
