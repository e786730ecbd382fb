import { Alert, Badge, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PartsRequest, PlannedPart } from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

interface PartsPlanProps {
  request: PartsRequest;
  onBack: () => void;
  onDone: () => void;
}

const COLORS: Partial<Record<PlannedPart['verdict'], string>> = { create: 'teal.9', stays: 'gray.7' };

/** What restoring parts of a backup would do. Conflicts are refused, each with a hint. */
export function PartsPlan({ request, onBack, onDone }: PartsPlanProps) {
  const { t } = useTranslation('backups');
  const plan = useQuery({
    queryKey: ['panels', 'parts', request],
    queryFn: () => requireDesktop().maintenance.plan(request),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const handleRun = async (): Promise<void> => {
    try {
      await requireDesktop().maintenance.restoreParts(request);
      onDone();
    } catch (error) {
      announceFailure(error as Error);
    }
  };
  return (
    <Stack>
      <QueryView query={plan}>
        {({ parts, canRun }) => (
          <Stack>
            {!canRun && <Alert color="yellow">{t('plan.refused')}</Alert>}
            <List listStyleType="none" spacing="xs">
              {parts.map(({ kind, name, verdict, with: clash }) => (
                <List.Item key={`${kind} ${name}`}>
                  <Group gap="xs">
                    <Badge color={COLORS[verdict] ?? 'red.9'}>{t(`verdict.${verdict}`)}</Badge>
                    <Text size="sm">
                      {t(`part.${kind}`)} <bdi>{name}</bdi>
                    </Text>
                  </Group>
                  {verdict !== 'create' && <Hint size="xs">{t(`remedy.${verdict}`, { name: clash })}</Hint>}
                </List.Item>
              ))}
            </List>
            <Group justify="space-between">
              <Button variant="default" onClick={onBack}>
                {t('plan.back')}
              </Button>
              <Button disabled={!canRun} onClick={() => void handleRun()}>
                {t('plan.run', { count: parts.filter(({ verdict }) => verdict === 'create').length })}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryView>
    </Stack>
  );
}
