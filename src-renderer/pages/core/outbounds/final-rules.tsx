import { ActionIcon, Button, Group, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { useFormat } from '../../../i18n/format.ts';
import { listAt, readAt, textAt, writeAt, type Path } from '../../../forms/draft/json.ts';
import { dropItem, insertItem, itemsAt, moveItem } from '../model/lists.ts';
import { ChoiceField, ListField, TextField } from '../parts/fields.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { useFocusAlong } from '../../../ui/use-focus-along.ts';

const RULES: Path = ['settings', 'finalRules'];

interface FinalRulesProps {
  outbound: JsonObject;
  onEdit: (next: JsonObject, field?: string) => void;
}

/** What a direct outbound lets through, by the address it is about to dial; the first match decides. */
export function FinalRules({ outbound, onEdit }: FinalRulesProps) {
  const { t } = useTranslation(['core', 'words']);
  const format = useFormat();
  const rules = itemsAt(outbound, RULES);
  const follow = useFocusAlong();
  const move = (index: number, by: number): void => {
    follow(by);
    onEdit(moveItem(outbound, RULES, index, index + by));
  };
  const drop = (index: number): void =>
    // The core treats an empty list and a missing one alike.
    onEdit(rules.length === 1 ? writeAt(outbound, RULES, undefined) : dropItem(outbound, RULES, index));
  const start = readAt(outbound, RULES) === undefined ? writeAt(outbound, RULES, []) : outbound;
  return (
    <Stack gap="xs" role="group" aria-label={t('finalRules.title')}>
      <Text fw={500} size="sm">
        {t('finalRules.title')} <bdi>(finalRules)</bdi>
      </Text>
      <Hint size="xs">{t(rules.length === 0 ? 'finalRules.none' : 'finalRules.hint')}</Hint>
      {rules.map((rule, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rules have no name; the place is the identity
        <Paper key={index} withBorder p="xs">
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Select
              label={t('finalRules.action', { number: format.number(index + 1) })}
              data={(['allow', 'block'] as const).map((value) => ({ value, label: t(`finalRules.${value}`) }))}
              value={textAt(rule['action'])}
              allowDeselect={false}
              onChange={(value) => onEdit(writeAt(outbound, [...RULES, index, 'action'], value ?? 'block'))}
            />
            <ChoiceField
              root={outbound}
              path={[...RULES, index, 'network']}
              onEdit={onEdit}
              label={t('words:network')}
              options={['tcp', 'udp']}
              placeholder={t('finalRules.any')}
            />
            <TextField
              root={outbound}
              path={[...RULES, index, 'port']}
              onEdit={onEdit}
              label={t('rule.port')}
              placeholder={t('finalRules.any')}
            />
          </SimpleGrid>
          <ListField
            root={outbound}
            path={[...RULES, index, 'ip']}
            onEdit={onEdit}
            label={t('finalRules.ip')}
            placeholder={t('finalRules.any')}
          />
          <Group gap={4} justify="flex-end" mt={6}>
            <ActionIcon
              variant="subtle"
              disabled={index === 0}
              aria-label={`${t('move.up')}: ${index + 1}`}
              onClick={() => move(index, -1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              disabled={index === rules.length - 1}
              aria-label={`${t('move.down')}: ${index + 1}`}
              onClick={() => move(index, 1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`${t('words:delete')}: ${index + 1}`}
              onClick={() => drop(index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Paper>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() => onEdit(insertItem(start, RULES, listAt(readAt(start, RULES)).length, { action: 'block' }))}
        >
          {t('finalRules.add')}
        </Button>
      </Group>
    </Stack>
  );
}
