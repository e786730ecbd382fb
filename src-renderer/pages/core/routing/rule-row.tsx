import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Badge, Menu, Switch, Text, UnstyledButton } from '@mantine/core';
import { IconGripVertical, IconRoute } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../core.module.css';
import { useDraft } from '../model/draft.ts';
import { textAt, withMember } from '../../../forms/draft/json.ts';
import { dropItem, insertItem, putItem, RULES } from '../model/lists.ts';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { conditionsOf, isApiRule, rareConditionsOf } from './rule-conditions.ts';

type Found = 'sure' | 'maybe' | null;

interface RuleRowProps {
  /** Position, counted from 1. */
  id: number;
  rule: JsonObject;
  /** Whether the tester's result points to it; `maybe`: it is one of several. */
  isFound: Found;
  isLast: boolean;
  onOpen: () => void;
  onMove: (to: number) => void;
}

/** One rule: its conditions, its target, and its actions. */
export function RuleRow({ id, rule, isFound, isLast, onOpen, onMove }: RuleRowProps) {
  const { t } = useTranslation(['core', 'words']);
  const format = useFormat();
  const edit = useDraft((draft) => draft.change);
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition } = useSortable({ id });
  const index = id - 1;
  const isOn = rule['enabled'] !== false;
  const number = format.number(id);
  // The panel itself needs this rule, first and always on.
  const isApi = isApiRule(rule);
  return (
    <li
      ref={setNodeRef}
      className={classes['rule']}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      data-found={isFound ?? undefined}
      data-off={!isOn || undefined}
      aria-current={isFound !== null || undefined}
    >
      <ActionIcon
        ref={setActivatorNodeRef}
        variant="subtle"
        color="gray"
        size={32}
        className={classes['handle'] ?? ''}
        {...attributes}
        {...listeners}
        aria-label={t('drag.handle', { number })}
      >
        <IconGripVertical size={16} />
      </ActionIcon>
      <span className={classes['number']}>{number}</span>
      <Switch
        size="xs"
        checked={isOn}
        disabled={isApi}
        aria-label={t('routing.enabled', { number })}
        onChange={(event) => {
          const next = withMember(rule, 'enabled', event.currentTarget.checked ? undefined : false);
          edit((template) => putItem(template, RULES, index, next));
        }}
      />
      <RuleBody rule={rule} isFound={isFound} onOpen={onOpen} />
      <RowMenu label={t('routing.menu', { number })}>
        <Menu.Item onClick={onOpen}>{t('words:edit')}</Menu.Item>
        <Menu.Item
          onClick={() => edit((template) => insertItem(template, RULES, id, withMember(rule, 'ruleTag', undefined)))}
        >
          {t('copy')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item disabled={index === 0} onClick={() => onMove(0)}>
          {t('move.top')}
        </Menu.Item>
        <Menu.Item disabled={index === 0} onClick={() => onMove(index - 1)}>
          {t('move.up')}
        </Menu.Item>
        <Menu.Item disabled={isLast} onClick={() => onMove(id)}>
          {t('move.down')}
        </Menu.Item>
        <Menu.Item disabled={isLast} onClick={() => onMove(Number.MAX_SAFE_INTEGER)}>
          {t('move.bottom')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" disabled={isApi} onClick={() => edit((template) => dropItem(template, RULES, index))}>
          {t('words:delete')}
        </Menu.Item>
      </RowMenu>
    </li>
  );
}

/** Enough of a long list to recognise the rule. */
const SHOWN_VALUES = 4;
const SHOWN_CHARACTERS = 60;

function RuleBody({ rule, isFound, onOpen }: { rule: JsonObject; isFound: Found; onOpen: () => void }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const outbound = textAt(rule['outboundTag']);
  const balancer = textAt(rule['balancerTag']);
  return (
    <div className={classes['conditions']}>
      {textAt(rule['ruleTag']) !== '' && (
        <Badge size="sm" variant="default" tt="none">
          <bdi>{textAt(rule['ruleTag'])}</bdi>
        </Badge>
      )}
      {conditionsOf(rule).map(({ name, values }) => (
        <span key={name} className={classes['condition']}>
          <Text span size="xs" c="dimmed">
            {t(`rule.${name}`)}
          </Text>{' '}
          <bdi>{values.slice(0, SHOWN_VALUES).join(', ')}</bdi>
          {values.length > SHOWN_VALUES && <bdi dir="ltr"> +{format.number(values.length - SHOWN_VALUES)}</bdi>}
        </span>
      ))}
      {rareConditionsOf(rule).map(({ name, text }) => (
        <span key={name} className={classes['condition']}>
          <Text span size="xs" c="dimmed">
            {name}
          </Text>{' '}
          <bdi>{text.slice(0, SHOWN_CHARACTERS)}</bdi>
        </span>
      ))}
      <UnstyledButton
        onClick={onOpen}
        title={outbound || balancer}
        aria-label={t('routing.open', { target: outbound || t('routing.toBalancer', { tag: balancer }) })}
      >
        <Badge variant="light" tt="none" leftSection={<IconRoute size={12} aria-hidden />}>
          {outbound === '' ? t('routing.toBalancer', { tag: balancer }) : <bdi>{outbound}</bdi>}
        </Badge>
      </UnstyledButton>
      {isFound !== null && (
        <Badge size="sm" color="teal" variant="dot" tt="none">
          {isFound === 'sure' ? t('routing.matches') : t('routing.mayMatch')}
        </Badge>
      )}
    </div>
  );
}
