import { ActionIcon, Button, Card, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { memo, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fallback, InboundOption } from '#contract/inbounds';
import { useFormat } from '../../../../i18n/format.ts';
import { canHaveFallbacks } from '#wire/protocol-catalogue';
import { textAt } from '../../../../forms/draft/json.ts';
import { useDraftState } from '../parts/draft-context.tsx';
import { SectionCard } from './section-card.tsx';
import { Hint } from '../../../../ui/layout/hint.tsx';
import { NumberField } from '../../../../forms/number-field.tsx';
import { useFocusAlong } from '../../../../ui/use-focus-along.ts';

export type FallbackRule = Pick<Fallback, 'childId' | 'name' | 'alpn' | 'path' | 'dest' | 'xver'>;
const NEW_RULE: FallbackRule = { childId: 0, name: '', alpn: '', path: '', dest: '', xver: 0 };

interface FallbacksProps {
  ownId: number;
  rules: readonly FallbackRule[];
  options: readonly InboundOption[];
  onChange: (rules: readonly FallbackRule[]) => void;
}

/** Where connections go that do not speak the protocol: the first matching rule decides. */
export const FallbacksSection = memo(function FallbacksSection({ ownId, rules, options, onChange }: FallbacksProps) {
  const { t } = useTranslation('inboundEditor');
  const isPossible = useDraftState(({ draft }) =>
    canHaveFallbacks(
      textAt(draft, 'protocol'),
      textAt(draft, 'streamSettings.network'),
      textAt(draft, 'streamSettings.security'),
    ),
  );
  const follow = useFocusAlong();
  const targets = options.filter(({ id }) => id !== ownId);
  return (
    <SectionCard section="fallbacks">
      <Hint>{isPossible ? t('fallbacks.hint') : t('fallbacks.impossible')}</Hint>
      {(isPossible || rules.length > 0) && (
        <>
          {rules.map((rule, at) => (
            <FallbackCard
              key={at}
              rule={rule}
              at={at}
              isLast={at === rules.length - 1}
              targets={targets}
              onChange={(part) => onChange(rules.with(at, { ...rule, ...part }))}
              onMove={(by) => {
                follow(by);
                onChange(rules.toSpliced(at, 1).toSpliced(at + by, 0, rule));
              }}
              onRemove={() => onChange(rules.toSpliced(at, 1))}
            />
          ))}
          <Button variant="default" size="xs" w="fit-content" onClick={() => onChange([...rules, NEW_RULE])}>
            {t('fallbacks.add')}
          </Button>
        </>
      )}
    </SectionCard>
  );
});

interface FallbackCardProps {
  rule: FallbackRule;
  at: number;
  isLast: boolean;
  /** Inbounds that such connections can be passed to. */
  targets: readonly InboundOption[];
  onChange: (part: Partial<FallbackRule>) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
}

function FallbackCard({ rule, at, isLast, targets, onChange, onMove, onRemove }: FallbackCardProps) {
  const { t } = useTranslation('inboundEditor');
  const place = { at: useFormat().number(at + 1) };
  const text = (name: 'dest' | 'path' | 'name' | 'alpn') => ({
    dir: 'ltr' as const,
    value: rule[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.currentTarget.value }),
  });
  const verbs = [
    { name: 'up', icon: IconArrowUp, isDisabled: at === 0, onClick: () => onMove(-1) },
    { name: 'down', icon: IconArrowDown, isDisabled: isLast, onClick: () => onMove(1) },
    { name: 'remove', icon: IconTrash, isDisabled: false, onClick: onRemove },
  ] as const;
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" mb="xs">
        <Hint>{t('fallbacks.rule', place)}</Hint>
        <Group gap={4}>
          {verbs.map(({ name, icon: Icon, isDisabled, onClick }) => (
            <ActionIcon
              key={name}
              variant="subtle"
              color="gray"
              disabled={isDisabled}
              aria-label={t(`fallbacks.${name}`, place)}
              onClick={onClick}
            >
              <Icon size={16} />
            </ActionIcon>
          ))}
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Select
          label={t('fallbacks.child')}
          data={[
            { value: '0', label: t('fallbacks.noChild') },
            ...targets.map(({ id, remark, tag, port }) => ({ value: String(id), label: `${remark || tag} · ${port}` })),
          ]}
          value={String(rule.childId)}
          allowDeselect={false}
          onChange={(value) => onChange({ childId: Number(value ?? 0) })}
        />
        <TextInput
          label={t('fallbacks.dest')}
          placeholder={rule.childId === 0 ? '127.0.0.1:8080' : t('fallbacks.ofChild')}
          {...text('dest')}
        />
        <TextInput label={t('field.path')} {...text('path')} />
        <TextInput label={t('field.serverName')} {...text('name')} />
        <TextInput label={t('field.alpn')} {...text('alpn')} />
        <NumberField
          label={t('field.proxyProtocol')}
          min={0}
          max={2}
          value={rule.xver}
          empty={0}
          onChange={(xver) => onChange({ xver })}
        />
      </SimpleGrid>
    </Card>
  );
}
