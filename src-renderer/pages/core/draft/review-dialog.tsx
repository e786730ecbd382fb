import { Badge, Group, List, Modal, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { changesBetween } from '../model/changes.ts';
import { useDraft } from '../model/draft-store.ts';
import { placeName } from './place.ts';
import { useDraftPlan } from './use-draft-plan.ts';

const JsonDiff = lazy(async () => ({ default: (await import('../../../ui/json-diff.tsx')).JsonDiff }));

const COLORS = { added: 'teal', removed: 'red', changed: 'blue', moved: 'gray' };

/** Everything that a save would change: what it touches, the reason of a restart, and the texts side by side. */
export function ReviewDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['core', 'shell']);
  const { stored, storedText, template, testUrl, storedUrl } = useDraft();
  const plan = useDraftPlan();
  const changes = useMemo(() => changesBetween(stored ?? {}, template ?? {}), [stored, template]);
  const before = stored === null ? (storedText ?? '') : JSON.stringify(stored, null, 2);
  return (
    <Modal
      opened
      onClose={onClose}
      size="80rem"
      title={t('review.title')}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        {plan.data !== undefined && (
          <Text size="sm">
            {t(`plan.${plan.data.kind}`)} {plan.data.reason !== '' && <bdi>({plan.data.reason})</bdi>}
          </Text>
        )}
        <List size="sm" listStyleType="none">
          {changes.map(({ where, name, kind }) => (
            <List.Item key={`${where} ${name} ${kind}`}>
              <Group gap="xs" wrap="nowrap">
                <Badge size="sm" variant="dot" tt="none" color={COLORS[kind]}>
                  {t(`change.${kind}`)}
                </Badge>
                <span>
                  {placeName(where) === 'template' ? <bdi>{where}</bdi> : t(`place.${placeName(where)}`)}
                  {name !== '' && (
                    <>
                      : <bdi>{name}</bdi>
                    </>
                  )}
                </span>
              </Group>
            </List.Item>
          ))}
          {testUrl !== storedUrl && (
            <List.Item>
              {t('basics.testUrl')}: <bdi>{testUrl}</bdi>
            </List.Item>
          )}
        </List>
        <Suspense fallback={null}>
          <JsonDiff before={before} after={JSON.stringify(template, null, 2)} />
        </Suspense>
      </Stack>
    </Modal>
  );
}
