import { Badge, Group, HoverCard, Loader, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import type { OutboundTests, TestResult } from './use-outbound-tests.ts';

/** A test's result in one word, with its timings or its error. `null` = under way. */
export function TestFigures({ result }: { result: TestResult | null }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const inWords = useResultWords();
  if (result === null) return <Loader size="xs" role="status" aria-label={t('test.running')} />;
  const { success, delay, mode, error, httpStatus, connectMs, tlsMs, ttfbMs, endpoints } = result;
  const ms = (value: number): string => t('test.ms', { value: format.number(value) });
  const timings: [string, number | undefined][] = [
    [t('test.connect'), connectMs],
    [t('test.tls'), tlsMs],
    [t('test.firstByte'), ttfbMs],
  ];
  return (
    <HoverCard position="bottom-start" withinPortal>
      <HoverCard.Target>
        <UnstyledButton aria-label={inWords(result)}>
          <Badge
            variant="default"
            tt="none"
            leftSection={
              success ? (
                <IconCheck size={14} color="var(--mantine-color-teal-filled)" aria-hidden />
              ) : (
                <IconAlertTriangle size={14} color="var(--mantine-color-red-filled)" aria-hidden />
              )
            }
          >
            {success ? ms(delay) : t('test.failedShort')}
          </Badge>
        </UnstyledButton>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <Stack gap={4} maw={360}>
          <Text size="xs">
            {t('test.mode')}: {t(`mode.${mode}`)} {httpStatus !== undefined && <bdi>· HTTP {httpStatus}</bdi>}
          </Text>
          {error !== undefined && (
            <Text size="xs">
              <bdi>{error}</bdi>
            </Text>
          )}
          {timings.map(
            ([label, value]) =>
              value !== undefined && (
                <Group key={label} justify="space-between">
                  <Text size="xs">{label}</Text>
                  <Text size="xs">{ms(value)}</Text>
                </Group>
              ),
          )}
          {endpoints?.map(({ address, success: isUp, delay: took, error: why }) => (
            <Text key={address} size="xs">
              <bdi>{address}</bdi> {isUp ? ms(took) : <bdi>{why}</bdi>}
            </Text>
          ))}
        </Stack>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}

/** Tells screen readers the result of one test; of several how many have ended, and which failed. */
export function ResultsStatus({ latest }: Pick<OutboundTests, 'latest'>) {
  const { t } = useTranslation('core');
  const inWords = useResultWords();
  const named = (results: readonly TestResult[]): string[] =>
    results.map((result) => `${result.tag}: ${inWords(result)}`);
  const words = (): string => {
    if (latest === null) return '';
    const { results, done, total } = latest;
    if (total === 1) return named(results).join('');
    return [t('test.progress', { done, total }), ...named(results.filter(({ success }) => !success))].join(' · ');
  };
  // Always there: what changes in it is read out, what comes with it may not be.
  return <VisuallyHidden role="status">{words()}</VisuallyHidden>;
}

function useResultWords(): (result: TestResult) => string {
  const { t } = useTranslation('core');
  const format = useFormat();
  return ({ success, delay, mode, error = '' }) =>
    success ? t('test.ok', { ms: t('test.ms', { value: format.number(delay) }), mode }) : t('test.failed', { error });
}
