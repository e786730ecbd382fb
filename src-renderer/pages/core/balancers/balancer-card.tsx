import { Alert, Badge, Group, Menu, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { balancerOverride, type BalancerStatus } from '#contract/coreSettings';
import type { JsonObject } from '#wire/json';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { useNames } from '../draft/use-core-settings.ts';
import { selectedTags, strategyOf } from '../model/balancers.ts';
import { useDraft } from '../model/draft.ts';
import { textAt, textsAt } from '../../../forms/draft/json.ts';
import { BALANCERS, dropItem } from '../model/lists.ts';
import { rewriteBalancer, rulesToBalancer } from '../model/references.ts';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

interface BalancerCardProps {
  balancer: JsonObject;
  index: number;
  /** Its state in the running core; undefined before the first response. */
  live: BalancerStatus | undefined;
  onOpen: () => void;
}

export function BalancerCard({ balancer, index, live, onOpen }: BalancerCardProps) {
  const { t } = useTranslation(['core', 'words']);
  const { outbounds, balancers } = useNames();
  const edit = useDraft((draft) => draft.change);
  const template = useDraft(({ draft }) => draft);
  const [isDeleting, setDeleting] = useState(false);
  const tag = textAt(balancer['tag']);
  const selectors = textsAt(balancer['selector']);
  const chosen = selectedTags(selectors, outbounds);
  const fallback = textAt(balancer['fallbackTag']);
  const handleDelete = (replacement: string | null): void =>
    edit((before) => rewriteBalancer(dropItem(before, BALANCERS, index), tag, replacement ?? undefined));
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Group gap="xs">
            <Title order={2} size="h4">
              <bdi>{tag || t('unnamed')}</bdi>
            </Title>
            <Badge variant="light" tt="none">
              {strategyOf(balancer)}
            </Badge>
          </Group>
          <RowMenu label={t('words:actionsFor', { name: tag })}>
            <Menu.Item onClick={onOpen}>{t('words:edit')}</Menu.Item>
            <Menu.Item color="red" onClick={() => setDeleting(true)}>
              {t('words:delete')}
            </Menu.Item>
          </RowMenu>
        </Group>
        <Text size="sm">
          {t('balancers.chooses')} <bdi>{chosen.join(', ') || t('balancers.nothing')}</bdi>
        </Text>
        {fallback !== '' && (
          <Text size="sm">
            {t('field.fallbackTag')}: <bdi>{fallback}</bdi>
          </Text>
        )}
        {live?.running === true ? (
          <LiveState tag={tag} live={live} targets={chosen} />
        ) : (
          <Hint>{t('balancers.notRunning')}</Hint>
        )}
      </Stack>
      {isDeleting && (
        <DeleteDialog
          name={tag}
          references={rulesToBalancer(template, tag)}
          replacements={balancers.filter((other) => other !== tag)}
          onDelete={handleDelete}
          onClose={() => setDeleting(false)}
        />
      )}
    </Paper>
  );
}

function LiveState({ tag, live, targets }: { tag: string; live: BalancerStatus; targets: readonly string[] }) {
  const { t } = useTranslation('core');
  const override = useChange(balancerOverride, [[...keys.core, 'balancers']]);
  const choose = (target: string): void => override.mutate({ body: { tag, target } }, { onError: announceFailure });
  const data = [...new Set([...targets, ...(live.override === '' ? [] : [live.override])])];
  return (
    <>
      <Text size="sm">
        {t('balancers.now')} <bdi>{live.selected.join(', ') || t('balancers.nothing')}</bdi>
      </Text>
      <Select
        label={t('balancers.override')}
        description={t('balancers.overrideHint')}
        data={data}
        placeholder={t('balancers.free')}
        value={live.override === '' ? null : live.override}
        clearable
        searchable
        // The focus comes back to it with the response.
        openOnFocus={false}
        disabled={override.isPending}
        onChange={(target) => choose(target ?? '')}
      />
      {live.clearedOverride !== undefined && (
        <Alert color="yellow" withCloseButton closeButtonLabel={t('balancers.understood')} onClose={() => choose('')}>
          {t('balancers.cleared', { target: live.clearedOverride })}
        </Alert>
      )}
    </>
  );
}
