import { ActionIcon, Button, Card, Group, NumberInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fallback, InboundOption } from '#contract/inbounds';
import { useFormat } from '../../../../i18n/format.ts';
import { canHaveFallbacks } from '#wire/protocol-catalogue';
import { textAt } from '../../../../forms/draft/json.ts';
import { useDraftState } from '../parts/draft-context.tsx';
import { SectionCard } from './section-card.tsx';

export type FallbackRule = Pick<Fallback, 'childId' | 'name' | 'alpn' | 'path' | 'dest' | 'xver'>;
const NEW_RULE: FallbackRule = { childId: 0, name: '', alpn: '', path: '', dest: '', xver: 0 };

interface FallbacksProps {
  ownId: number;
  rules: readonly FallbackRule[];
  options: readonly InboundOption[];
  onChange: (rules: readonly FallbackRule[]) => void;
}

/** Where visitors go who do not speak the protocol: first rule that matches. */
export const FallbacksSection = memo(function FallbacksSection({ ownId, rules, options, onChange }: FallbacksProps) {
  const { t } = useTranslation('inboundEditor');
  const format = useFormat();
  const isPossible = useDraftState(({ draft }) =>
    canHaveFallbacks(
      textAt(draft, 'protocol'),
      textAt(draft, 'streamSettings.network'),
      textAt(draft, 'streamSettings.security'),
    ),
  );
  const children = options.filter(({ id }) => id !== ownId);
  const set = (at: number, part: Partial<FallbackRule>): void => onChange(rules.with(at, { ...rules[at]!, ...part }));
  const move = (at: number, by: number): void => {
    const rest = rules.toSpliced(at, 1);
    onChange(rest.toSpliced(at + by, 0, rules[at]!));
  };
  return (
    <SectionCard section="fallbacks">
      <Text size="sm" c="dimmed">
        {isPossible ? t('fallbacks.hint') : t('fallbacks.impossible')}
      </Text>
      {(isPossible || rules.length > 0) && (
        <>
          {rules.map((rule, at) => (
            <Card key={at} withBorder padding="sm">
              <Group justify="space-between" mb="xs">
                <Text size="sm" c="dimmed">
                  {t('fallbacks.rule', { at: format.number(at + 1) })}
                </Text>
                <Group gap={4}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={at === 0}
                    aria-label={t('fallbacks.up', { at: at + 1 })}
                    onClick={() => move(at, -1)}
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={at === rules.length - 1}
                    aria-label={t('fallbacks.down', { at: at + 1 })}
                    onClick={() => move(at, 1)}
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('fallbacks.remove', { at: at + 1 })}
                    onClick={() => onChange(rules.toSpliced(at, 1))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              </Group>
              <SimpleGrid cols={{ base: 1, sm: 3 }}>
                <Select
                  label={t('fallbacks.child')}
                  data={[
                    { value: '0', label: t('fallbacks.noChild') },
                    ...children.map(({ id, remark, tag, port }) => ({
                      value: String(id),
                      label: `${remark || tag} · ${port}`,
                    })),
                  ]}
                  value={String(rule.childId)}
                  allowDeselect={false}
                  onChange={(value) => set(at, { childId: Number(value ?? 0) })}
                />
                <TextInput
                  label={t('fallbacks.dest')}
                  dir="ltr"
                  placeholder={rule.childId === 0 ? '127.0.0.1:8080' : t('fallbacks.ofChild')}
                  value={rule.dest}
                  onChange={(event) => set(at, { dest: event.currentTarget.value })}
                />
                <TextInput
                  label={t('field.path')}
                  dir="ltr"
                  value={rule.path}
                  onChange={(event) => set(at, { path: event.currentTarget.value })}
                />
                <TextInput
                  label={t('field.serverName')}
                  dir="ltr"
                  value={rule.name}
                  onChange={(event) => set(at, { name: event.currentTarget.value })}
                />
                <TextInput
                  label={t('field.alpn')}
                  dir="ltr"
                  value={rule.alpn}
                  onChange={(event) => set(at, { alpn: event.currentTarget.value })}
                />
                <NumberInput
                  label={t('field.proxyProtocol')}
                  min={0}
                  max={2}
                  value={rule.xver}
                  onChange={(value) => set(at, { xver: Number(value) })}
                />
              </SimpleGrid>
            </Card>
          ))}
          <Button variant="default" size="xs" w="fit-content" onClick={() => onChange([...rules, NEW_RULE])}>
            {t('fallbacks.add')}
          </Button>
        </>
      )}
    </SectionCard>
  );
});
