import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { balancerStatus } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { useDraft } from '../model/draft.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { BALANCERS, itemsAt } from '../model/lists.ts';
import { BalancerCard } from './balancer-card.tsx';
import { BalancerEditor } from './balancer-editor.tsx';
import { ObserverFields } from './observer-fields.tsx';

/** Measurements change without an event, so they are polled. */
const REFRESH_MS = 5_000;

/** Groups of outbounds from which one is chosen per connection. */
export function BalancersSection() {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const balancers = useMemo(() => itemsAt(template, BALANCERS), [template]);
  const editor = useDialogParam('balancer');
  const tags = balancers.map((balancer) => textAt(balancer['tag'])).join(',');
  const live = useRead(balancerStatus, { body: { tags } }, [...keys.core, 'balancers', tags], {
    enabled: tags !== '',
    refetchInterval: REFRESH_MS,
  });
  const observers = ['observatory', 'burstObservatory'].filter((name) => template[name] !== undefined);
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={640}>
          {t('balancers.hint')}
        </Text>
        <Button onClick={() => editor.open('new')}>{t('balancers.add')}</Button>
      </Group>
      {balancers.length === 0 ? (
        <EmptyState text={t('balancers.none')} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {balancers.map((balancer, index) => (
            <BalancerCard
              key={textAt(balancer['tag']) || String(index)}
              balancer={balancer}
              index={index}
              live={live.data?.[textAt(balancer['tag'])]}
              onOpen={() => editor.open(String(index))}
            />
          ))}
        </SimpleGrid>
      )}
      {observers.map((name) => (
        <TitledCard key={name} title={t('observer.title')}>
          <ObserverFields name={name} />
        </TitledCard>
      ))}
      {editor.value !== null && <BalancerEditor key={editor.value} which={editor.value} onClose={editor.close} />}
    </Stack>
  );
}
