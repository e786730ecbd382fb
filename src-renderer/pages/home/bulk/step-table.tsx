import { Button, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { StepState, VerbRequest, VerbStep } from '../../../../src-main/bridge/jobs.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { Chip } from '../../../ui/palette/chip.tsx';
import type { Tone } from '../../../ui/palette/tones.ts';
import { MessageList } from '../jobs/message-list.tsx';
import { isAboutClients } from './verb-model.ts';

const TONES: Record<StepState, Tone> = {
  waiting: 'blue',
  running: 'blue',
  done: 'green',
  failed: 'red',
  cancelled: 'yellow',
  nothing: 'gray',
};

interface StepsProps {
  verb: VerbRequest['verb'];
  steps: readonly VerbStep[];
  nameOf: (id: string) => string;
  isRunning: boolean;
  onRetry: (panelId: string) => void;
}

/** Per panel, what will be done and then the result. */
export function StepTable({ verb, steps, nameOf, isRunning, onRetry }: StepsProps) {
  const { t } = useTranslation(['works', 'words']);
  return (
    <CardTable
      minWidth={640}
      columns={[t('words:panel'), t('words:state'), t('step.will')]}
      actions={t('unfinished.again')}
    >
      {steps.map(({ panelId, state, count, notes }) => (
        <Table.Tr key={panelId} aria-label={nameOf(panelId)}>
          <Table.Th scope="row">
            <bdi>{nameOf(panelId)}</bdi>
          </Table.Th>
          <Table.Td>
            <Chip tone={TONES[state]}>{t(`state.${state}`)}</Chip>
          </Table.Td>
          <Table.Td>
            {state === 'waiting' && isAboutClients(verb) && <Text size="sm">{t('verbs.count', { count })}</Text>}
            <MessageList messages={notes} />
          </Table.Td>
          <Table.Td>
            {(state === 'failed' || state === 'cancelled') && (
              <Button
                size="xs"
                variant="default"
                disabled={isRunning}
                aria-label={t('verbs.retry', { name: nameOf(panelId) })}
                onClick={() => onRetry(panelId)}
              >
                {t('unfinished.again')}
              </Button>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </CardTable>
  );
}
