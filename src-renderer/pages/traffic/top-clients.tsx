import { Anchor, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { readTopClients } from '#contract/traffic';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/format.ts';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import { useIsJalali } from '../../stores/calendar.ts';
import { partTone } from '../../ui/palette/tones.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { Hint } from '../../ui/layout/hint.tsx';
import { timeQuery, type Time } from './traffic-address.ts';
import classes from './traffic.module.css';

const SHOWN = '10';

/** The clients with the most traffic in the period, and their share of the total. */
export function TopClients({ time }: { time: Time }) {
  const { t } = useTranslation('traffic');
  const format = useFormat();
  const query = timeQuery(time, useIsJalali());
  const top = useRead(readTopClients, { query: { ...query!, limit: SHOWN } }, [...keys.traffic, 'top', query], {
    enabled: query !== null,
    placeholderData: keepPreviousData,
  });
  if (query === null) return null;
  return (
    <TitledCard title={t('top.title')}>
      <QueryView
        query={top}
        isEmpty={({ clients }) => clients.length === 0}
        empty={<Text c="dimmed">{t('top.none')}</Text>}
      >
        {({ clients, bytes: all, clientCount, countedUntil, from }) => (
          <>
            <ol className={classes['top']}>
              {clients.map(({ email, bytes }) => (
                <li key={email}>
                  <div className={classes['line']}>
                    <Anchor component={Link} to={`?subject=client&name=${encodeURIComponent(email)}`} truncate>
                      <bdi>{email}</bdi>
                    </Anchor>
                    <span>
                      {format.bytes(bytes)} · {format.percent((bytes / all) * 100)}
                    </span>
                  </div>
                  <div className={classes['bar']} aria-hidden>
                    <div data-tone={partTone(0)} style={{ inlineSize: `${(bytes / clients[0]!.bytes) * 100}%` }} />
                  </div>
                </li>
              ))}
            </ol>
            <Hint size="xs">
              {t('top.note', {
                count: clientCount,
                from: format.date(from),
                until: countedUntil === 0 ? '—' : format.dateTime(countedUntil),
              })}
            </Hint>
          </>
        )}
      </QueryView>
    </TitledCard>
  );
}
