import { Group, List, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DIRECTORY_STAGES, type DirectoryTest } from '#contract/directory';
import { reasonWords } from '../../../i18n/refusal-words.ts';

const ICONS = { passed: IconCheck, stopped: IconX, unreached: IconMinus, unused: IconMinus } as const;

/** Stages of a test, step by step, and why it stopped. */
export function TestStages({ test: { stage, unused, entries, failure } }: { test: DirectoryTest }) {
  const { t } = useTranslation('settings');
  const last = DIRECTORY_STAGES.indexOf(stage);
  const resultOf = (at: number): keyof typeof ICONS => {
    if (unused.includes(DIRECTORY_STAGES[at]!)) return 'unused';
    if (at < last || failure === null) return 'passed';
    return at === last ? 'stopped' : 'unreached';
  };
  return (
    <Stack gap="xs">
      <List listStyleType="none" size="sm">
        {DIRECTORY_STAGES.map((name, at) => {
          const result = resultOf(at);
          const Icon = ICONS[result];
          return (
            <List.Item key={name}>
              <Group gap={6} wrap="nowrap">
                <Icon size={16} aria-hidden />
                <span>{t(`directory.stage.${name}`)}</span>
                {result === 'passed' ? (
                  <VisuallyHidden>{t('directory.result.passed')}</VisuallyHidden>
                ) : (
                  <span>({t(`directory.result.${result}`)})</span>
                )}
              </Group>
            </List.Item>
          );
        })}
      </List>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {failure === null ? t('directory.entries', { count: entries }) : <bdi>{reasonWords(failure)}</bdi>}
      </Text>
    </Stack>
  );
}
