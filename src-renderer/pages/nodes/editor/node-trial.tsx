import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { nodeInbounds, testNode, type NodeProbe } from '#contract/nodes/probes';
import { type Node } from '#contract/nodes';
import type { ResultOf } from '../../../api/transport.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { lastErrorWords } from '../node-refusal-words.ts';
import { toWire, type NodeForm } from './node-form.ts';

type Found = ResultOf<typeof nodeInbounds>;

/** What a panel is reached by: with other values, a result says nothing. */
const WAY = [
  'scheme',
  'address',
  'port',
  'basePath',
  'apiToken',
  'allowPrivateAddress',
  'tlsVerifyMode',
  'pinnedCertSha256',
  'outboundTag',
] as const;

/** Inbounds named before "and n more". */
const SHOWN = 20;

interface NodeTrialProps {
  form: UseFormReturn<NodeForm>;
  /** Its stored token is used if none is typed. */
  stored: Node | null;
  /** Called with the tags of its inbounds, each once. */
  onFound: (tags: readonly string[]) => void;
}

/** Asks the panel for its state and inbounds, before anything is stored. Changes nothing there. */
export function NodeTrial({ form, stored, onFound }: NodeTrialProps) {
  const { t } = useTranslation('nodes');
  const call = useCall();
  const way = JSON.stringify(useWatch({ control: form.control, name: WAY }));
  const trial = useMutation({
    mutationFn: async (_way: string): Promise<{ probe: NodeProbe; found: Found | null }> => {
      const body = toWire(form.getValues(), stored);
      const probe = await call(testNode, { body });
      return { probe, found: probe.status === 'online' ? await call(nodeInbounds, { body }) : null };
    },
    onSuccess: ({ found }) => onFound([...new Set((found ?? []).map(({ tag }) => tag))]),
  });
  const isOfThese = !trial.isPending && trial.variables === way;
  const address = useWatch({ control: form.control, name: 'address' });
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" loading={trial.isPending} disabled={address === ''} onClick={() => trial.mutate(way)}>
          {t('trial.action')}
        </Button>
        <Text size="xs" c="dimmed" flex={1}>
          {t('trial.hint')}
        </Text>
      </Group>
      <div role="status">
        {trial.isError && isOfThese && (
          <Alert color="red">
            <bdi>{trial.error.message}</bdi>
          </Alert>
        )}
        {trial.data !== undefined && isOfThese && <TrialResult {...trial.data} />}
      </div>
    </Stack>
  );
}

function TrialResult({ probe, found }: { probe: NodeProbe; found: Found | null }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  if (probe.status === 'offline')
    return (
      <Alert color="red" title={t('trial.offline')}>
        <bdi>{lastErrorWords({ lastError: probe.error, lastRefusal: probe.refusal })}</bdi>
        <Text size="sm">{t('remedy.offline')}</Text>
      </Alert>
    );
  const { latencyMs: ms, panelVersion: panel, coreVersion: core, coreState, coreError } = probe;
  const names = (found ?? []).slice(0, SHOWN);
  const rest = (found ?? []).length - names.length;
  return (
    <Alert color={coreState === 'running' ? 'teal' : 'yellow'} title={t('trial.online', { ms: format.number(ms) })}>
      <Text size="sm">{t('trial.versions', { panel: panel || '—', core: core || '—' })}</Text>
      {coreState !== 'running' && (
        <Text size="sm">
          {t('trial.core')} <bdi>{coreError}</bdi>
        </Text>
      )}
      {found !== null && (
        <>
          <Text size="sm">{t('trial.found', { count: found.length })}</Text>
          <List size="sm">
            {names.map(({ id, tag, remark, protocol, port }) => (
              <List.Item key={id}>
                <bdi>{[remark || tag, protocol, port].join(' · ')}</bdi>
              </List.Item>
            ))}
          </List>
          {rest > 0 && <Text size="sm">{t('trial.more', { count: rest })}</Text>}
        </>
      )}
    </Alert>
  );
}
