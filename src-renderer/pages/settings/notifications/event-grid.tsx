import { Checkbox, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { EVENT_KINDS, type EventKind, type Subscriber } from '#contract/events';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import classes from './notifications.module.css';
import { useChoices, useSubscriberName, useSubscribers } from './use-subscribers.ts';

/** A check box for each kind of event and subscriber. */
export function EventGrid() {
  const { t } = useTranslation('notifications');
  const subscribers = useSubscribers();
  const { kindsOf, choose } = useChoices();
  const nameOf = useSubscriberName();
  return (
    <TitledCard title={t('grid.title')}>
      <Text size="sm">{t('grid.text')}</Text>
      <QueryView query={subscribers}>
        {(columns) => (
          <div className={classes['grid']}>
            <CardTable minWidth={200 + columns.length * 110}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t('hooks.event')}</Table.Th>
                  {columns.map((subscriber) => (
                    <Table.Th key={subscriber.name} scope="col">
                      <bdi>{nameOf(subscriber)}</bdi>
                      <ColumnState subscriber={subscriber} />
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {EVENT_KINDS.map((kind) => (
                  <Table.Tr key={kind}>
                    <Table.Th scope="row" className={classes['name'] ?? ''}>
                      {t(`kind.${kind}`)}
                    </Table.Th>
                    {columns.map((subscriber) => (
                      <Cell
                        key={subscriber.name}
                        kind={kind}
                        subscriber={subscriber}
                        isChosen={kindsOf(subscriber).includes(kind)}
                        onChoose={(isChosen) => choose(subscriber, kind, isChosen)}
                      />
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </CardTable>
          </div>
        )}
      </QueryView>
    </TitledCard>
  );
}

/** Below a column's name: whether it is off, and its pending deliveries. */
function ColumnState({ subscriber: { isOn, waiting } }: { subscriber: Subscriber }) {
  const { t } = useTranslation('notifications');
  const words = [...(isOn ? [] : [t('grid.off')]), ...(waiting > 0 ? [t('queue.waiting', { count: waiting })] : [])];
  if (words.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" fw={400}>
      {words.join(' · ')}
    </Text>
  );
}

interface CellProps {
  kind: EventKind;
  subscriber: Subscriber;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

function Cell({ kind, subscriber, isChosen, onChoose }: CellProps) {
  const { t } = useTranslation('notifications');
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const name = useSubscriberName()(subscriber);
  if (!subscriber.offers.includes(kind)) return <Table.Td />;
  return (
    <Table.Td className={classes['choice'] ?? ''} data-label={isPhone ? name : undefined}>
      <span className={classes['cell']}>
        <Checkbox
          aria-label={t('grid.cell', { kind: t(`kind.${kind}`), subscriber: name })}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </span>
    </Table.Td>
  );
}
