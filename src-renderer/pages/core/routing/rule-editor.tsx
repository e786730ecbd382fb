import { Select, SimpleGrid } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listClientsPaged } from '#contract/clients/list';
import type { JsonObject } from '#wire/json';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { RULE_SCHEMA } from '../core-schema.ts';
import { useNames } from '../draft/use-core-settings.ts';
import { useDraft } from '../model/draft.ts';
import { useFormat } from '../../../i18n/format.ts';
import { textAt, withMember } from '../../../forms/draft/json.ts';
import { insertItem, itemsAt, putItem, RULES } from '../model/lists.ts';
import { ChoiceField, ListField, TextField } from '../parts/fields.tsx';
import { ItemEditor } from '../parts/item-editor.tsx';
import { useGeoNames } from '../parts/use-geo.ts';
import { ruleProblem } from './rule-conditions.ts';

const NETWORKS = ['tcp', 'udp', 'tcp,udp'];
const SNIFFED = ['http', 'tls', 'quic', 'bittorrent'];
/** New rules go above the existing ones, below the panel's own: a rule at the end is often never reached. */
const NEW_AT = 1;

/** @param which index of the rule, or `new` */
export function RuleEditor({ which, onClose }: { which: string; onClose: () => void }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const template = useDraft(({ draft }) => draft);
  const edit = useDraft((draft) => draft.change);
  const rules = itemsAt(template, RULES);
  const stored = which === 'new' ? undefined : rules[Number(which)];
  if (stored === undefined && which !== 'new') return null;
  const check = (rule: JsonObject): string | null => {
    const problem = ruleProblem(rule);
    if (problem !== null) return t(`problem.${problem}`);
    const tag = textAt(rule['ruleTag']);
    const isTaken = tag !== '' && rules.some((other) => other !== stored && other['ruleTag'] === tag);
    return isTaken ? t('problem.taken', { tag }) : null;
  };
  const handleDone = (rule: JsonObject): void => {
    const at = Math.min(NEW_AT, rules.length);
    edit((before) =>
      stored === undefined ? insertItem(before, RULES, at, rule) : putItem(before, RULES, Number(which), rule),
    );
    onClose();
  };
  return (
    <ItemEditor
      title={stored === undefined ? t('routing.add') : t('at.rule', { number: format.number(Number(which) + 1) })}
      item={stored ?? { type: 'field' }}
      schema={RULE_SCHEMA}
      check={check}
      onDone={handleDone}
      onClose={onClose}
    >
      {(rule, onEdit) => <RuleFields rule={rule} onEdit={onEdit} />}
    </ItemEditor>
  );
}

interface RuleFieldsProps {
  rule: JsonObject;
  onEdit: (next: JsonObject) => void;
}

function RuleFields({ rule, onEdit }: RuleFieldsProps) {
  const { t } = useTranslation('core');
  const { inbounds } = useNames();
  const geo = useGeoNames();
  const [search, setSearch] = useState('');
  const emails = useEmails(search);
  const at = (name: string, label: string, description?: string) => ({
    root: rule,
    path: [name],
    label,
    description,
    onEdit,
  });
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TargetField rule={rule} onEdit={onEdit} />
        <TextField {...at('ruleTag', t('rule.ruleTag'))} />
      </SimpleGrid>
      <ListField {...at('domain', t('rule.domain'), t('rule.domainHint'))} suggestions={geo.site} />
      <ListField {...at('ip', t('rule.ip'), t('rule.ipHint'))} suggestions={geo.ip} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField {...at('port', t('rule.port'))} placeholder="443,1000-2000" />
        <ChoiceField {...at('network', t('rule.network'))} options={NETWORKS} />
      </SimpleGrid>
      <ListField {...at('inboundTag', t('rule.inboundTag'))} suggestions={inbounds} />
      <ListField {...at('user', t('rule.user'), t('rule.userHint'))} suggestions={emails} onSearch={setSearch} />
      <ListField {...at('protocol', t('rule.protocol'), t('rule.protocolHint'))} suggestions={SNIFFED} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ListField {...at('source' in rule ? 'source' : 'sourceIP', t('rule.sourceIP'))} suggestions={geo.ip} />
        <TextField {...at('sourcePort', t('rule.sourcePort'))} placeholder="1024-65535" />
      </SimpleGrid>
    </>
  );
}

/** An outbound or a balancer, never both. */
function TargetField({ rule, onEdit }: RuleFieldsProps) {
  const { t } = useTranslation('core');
  const { outbounds, balancers } = useNames();
  const outbound = textAt(rule['outboundTag']);
  const balancer = textAt(rule['balancerTag']);
  const ways = outbound === '' || outbounds.includes(outbound) ? outbounds : [...outbounds, outbound];
  const handleChange = (value: string | null): void => {
    if (value === null) return;
    const isBalancer = value.startsWith('balancer ');
    const tag = value.slice(value.indexOf(' ') + 1);
    const bare = withMember(withMember(rule, 'outboundTag', undefined), 'balancerTag', undefined);
    onEdit(withMember(bare, isBalancer ? 'balancerTag' : 'outboundTag', tag));
  };
  let value: string | null = null;
  if (outbound !== '') value = `outbound ${outbound}`;
  else if (balancer !== '') value = `balancer ${balancer}`;
  return (
    <Select
      label={t('rule.target')}
      data={[
        { group: t('section.outbounds'), items: ways.map((tag) => ({ value: `outbound ${tag}`, label: tag })) },
        { group: t('section.balancers'), items: balancers.map((tag) => ({ value: `balancer ${tag}`, label: tag })) },
      ]}
      value={value}
      onChange={handleChange}
      allowDeselect={false}
      searchable
    />
  );
}

const SEARCH_AFTER_MS = 250;

/** E-mails of clients that match the typed text; the server searches. */
function useEmails(typed: string): string[] {
  const [search] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  const { data } = useRead(
    listClientsPaged,
    { query: { search, pageSize: '20' } },
    [...keys.clients, 'emails', search],
    { placeholderData: keepPreviousData },
  );
  return (data?.items ?? []).map(({ email }) => email);
}
