import { Drawer, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ReachabilityRun, ReachabilityWay } from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import type { NamedPanel } from '../panel-names.ts';
import { historyRows } from './history-grid.ts';
import classes from './history.module.css';
import { useWayWords } from './use-way-words.ts';

const SHOWN_RUNS = 40;
const SHOWN_CHANGES = 20;
/** Never by colour alone. */
const SIGNS = { ok: '✓', blocked: '×', unusable: '–' } as const;

/** How reachable a panel was from here over time. */
export function HistoryDrawer({ panel, onClose }: { panel: NamedPanel; onClose: () => void }) {
  const { t } = useTranslation('vantage');
  const runs = useQuery({
    queryKey: ['panels', 'vantage', 'runs', panel.id],
    queryFn: () => requireDesktop().maintenance.runs(panel.id),
    staleTime: 0,
  });
  return (
    <Drawer opened onClose={onClose} size="xl" title={t('historyTitle', { name: panel.name })}>
      <QueryView query={runs} empty={<Text c="dimmed">{t('never')}</Text>}>
        {(newestFirst) => <History newestFirst={newestFirst} />}
      </QueryView>
    </Drawer>
  );
}

function History({ newestFirst }: { newestFirst: readonly ReachabilityRun[] }) {
  const { t } = useTranslation('vantage');
  const format = useFormat();
  const wayWords = useWayWords();
  const { runs, rows } = historyRows(newestFirst, SHOWN_RUNS);
  const words = (way: ReachabilityWay, run: ReachabilityRun): string => {
    const figures = way.bytesPerSec === null ? wayWords(way) : format.rate(way.bytesPerSec);
    return [format.dateTime(run.atMs), t(`state.${way.state}`), figures].filter((part) => part !== '').join(' · ');
  };
  return (
    <Stack>
      <Group gap="md">
        {(['ok', 'blocked', 'unusable'] as const).map((state) => (
          <Group key={state} gap={6}>
            <span className={classes['cell']} data-state={state} aria-hidden>
              {SIGNS[state]}
            </span>
            <Text size="sm">{t(`state.${state}`)}</Text>
          </Group>
        ))}
      </Group>
      <Table.ScrollContainer minWidth={420}>
        <table className={classes['grid']}>
          <tbody>
            {rows.map(({ key, inbound, address, cells }) => (
              <tr key={key}>
                <th scope="row">
                  <bdi>{inbound}</bdi>
                  <Hint size="xs">
                    <bdi>{address}</bdi>
                  </Hint>
                </th>
                {cells.map((way, at) => {
                  const run = runs[at]!;
                  return (
                    <td
                      key={run.atMs}
                      className={classes['cell']}
                      data-state={way?.state ?? 'none'}
                      title={way === null ? undefined : words(way, run)}
                    >
                      {way !== null && (
                        <>
                          <span aria-hidden>{SIGNS[way.state]}</span>
                          <VisuallyHidden>{words(way, run)}</VisuallyHidden>
                        </>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Table.ScrollContainer>
      <Hint size="xs">
        {t('span', { from: format.dateTime(runs[0]!.atMs), to: format.dateTime(runs.at(-1)!.atMs) })}
      </Hint>
      <Stack gap={4}>
        {newestFirst
          .filter((run) => run.words !== '' || run.ways.some(({ state }) => state === 'blocked'))
          .slice(0, SHOWN_CHANGES)
          .map((run) => (
            <Text key={run.atMs} size="sm">
              {format.dateTime(run.atMs)} {run.words !== '' && t('notTried')}
              <br />
              <bdi>
                {run.words === ''
                  ? run.ways
                      .filter(({ state }) => state === 'blocked')
                      .map((way) => `${way.inbound}: ${wayWords(way)}`)
                      .join('; ')
                  : run.words}
              </bdi>
            </Text>
          ))}
      </Stack>
    </Stack>
  );
}
