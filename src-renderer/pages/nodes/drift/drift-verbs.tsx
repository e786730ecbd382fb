import { Button, Group, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DriftBoard, DriftRow, DriftVerb } from '#contract/nodes/drift';
import toolbar from '../../../ui/layout/toolbar.module.css';

export const VERBS: readonly DriftVerb[] = ['adopt', 'send', 'leave'];

interface DriftVerbsProps {
  data: DriftBoard;
  picked: readonly DriftRow[];
  isPending: boolean;
  /** An empty list = all differences except those left alone. */
  onSettle: (
    verb: DriftVerb,
    rows: readonly DriftRow[],
    counts?: { inbounds: number; clients: number },
  ) => Promise<void>;
}

/** The three decisions, for the selected rows, or for all if none is selected. */
export function DriftVerbs({ data, picked, isPending, onSettle }: DriftVerbsProps) {
  const { t } = useTranslation('nodes');
  const open = ({ differ, left }: { differ: number; left: number }): number => Math.max(0, differ - left);
  const counts = { inbounds: open(data.inbounds), clients: open(data.clients) };
  const count = picked.length > 0 ? picked.length : counts.inbounds + counts.clients;
  return (
    <Paper withBorder p="xs" role="region" aria-label={t('drift.decide')}>
      <Group gap="xs" className={toolbar['verbs'] ?? ''}>
        <Text size="sm" aria-live="polite">
          {picked.length > 0 ? t('drift.chosen', { count }) : t('drift.undecided', { count })}
        </Text>
        {VERBS.map((verb) => (
          <Button
            key={verb}
            size="xs"
            variant="default"
            disabled={isPending || count === 0}
            onClick={() => void onSettle(verb, picked, counts)}
          >
            {picked.length > 0 ? t(`drift.chosenVerb.${verb}`) : t(`drift.allVerb.${verb}`)}
          </Button>
        ))}
      </Group>
    </Paper>
  );
}
