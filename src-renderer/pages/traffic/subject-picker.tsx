import { Group, SegmentedControl, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listClientsPaged } from '#contract/clients/list';
import { listGroups } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { failureOf, useRead } from '../../api/use-read.ts';
import toolbar from '../../ui/layout/toolbar.module.css';
import { inboundLabel, useInboundOptions } from '../clients/use-inbound-options.ts';
import { useNodeNames, useNodes } from '../nodes/use-nodes.ts';
import { SUBJECTS, type Whose } from './traffic-address.ts';

const OFFERED = 50;
const SEARCH_AFTER_MS = 250;

interface PickerProps {
  whose: Whose;
  onChange: (whose: Whose) => void;
}

/** Whose traffic is shown. */
export function SubjectPicker({ whose, onChange }: PickerProps) {
  const { t } = useTranslation('traffic');
  const pick = (name: string): void => onChange({ ...whose, name });
  return (
    <Group gap="sm" className={toolbar['fields'] ?? ''}>
      <SegmentedControl
        aria-label={t('subject.label')}
        data={SUBJECTS.map((value) => ({ value, label: t(`subject.${value}`) }))}
        value={whose.subject}
        onChange={(subject) => onChange({ subject, name: '' })}
      />
      {whose.subject === 'client' && <ClientSelect name={whose.name} onPick={pick} />}
      {whose.subject === 'group' && <GroupSelect name={whose.name} onPick={pick} />}
      {whose.subject === 'inbound' && <InboundSelect name={whose.name} onPick={pick} />}
      {whose.subject === 'node' && <NodeSelect name={whose.name} onPick={pick} />}
    </Group>
  );
}

interface SelectProps {
  name: string;
  onPick: (name: string) => void;
}

/** The server searches: the page never holds all clients. */
function ClientSelect({ name, onPick }: SelectProps) {
  const { t } = useTranslation('traffic');
  const [text, setText] = useState(name);
  const [search] = useDebouncedValue(text === name ? '' : text, SEARCH_AFTER_MS);
  const found = useRead(
    listClientsPaged,
    { query: { search, pageSize: String(OFFERED), sort: 'email' } },
    [...keys.clients, 'named', search],
    { placeholderData: keepPreviousData },
  );
  const emails = found.data?.items.map(({ email }) => email) ?? [];
  return (
    <Named
      label={t('subject.client')}
      data={[...new Set([...(name === '' ? [] : [name]), ...emails])].map((email) => ({ value: email, label: email }))}
      failure={failureOf(found)}
      name={name}
      onPick={onPick}
      search={{ text, setText }}
    />
  );
}

function GroupSelect(props: SelectProps) {
  const { t } = useTranslation('traffic');
  const groups = useRead(listGroups, {}, [...keys.groups, 'list']);
  const names = groups.data?.map(({ name }) => name) ?? [];
  return (
    <Named
      label={t('subject.group')}
      data={names.map((name) => ({ value: name, label: name }))}
      failure={failureOf(groups)}
      {...props}
    />
  );
}

function InboundSelect(props: SelectProps) {
  const { t } = useTranslation('traffic');
  const options = useInboundOptions();
  const data = (options.data ?? []).map((option) => ({ value: String(option.id), label: inboundLabel(option) }));
  return <Named label={t('subject.inbound')} data={data} failure={failureOf(options)} {...props} />;
}

function NodeSelect(props: SelectProps) {
  const { t } = useTranslation('traffic');
  const data = [...useNodeNames()].map(([id, name]) => ({ value: String(id), label: name }));
  return <Named label={t('subject.node')} data={data} failure={failureOf(useNodes())} {...props} />;
}

interface NamedProps extends SelectProps {
  label: string;
  data: readonly { value: string; label: string }[];
  /** Why there is nothing to choose from. */
  failure: string | undefined;
  /** Given where the server searches: nothing is filtered here then. */
  search?: { text: string; setText: (text: string) => void };
}

function Named({ label, data, failure, name, onPick, search }: NamedProps) {
  const { t } = useTranslation('traffic');
  return (
    <Select
      aria-label={label}
      placeholder={t('subject.pick')}
      error={failure}
      data={[...data]}
      value={name === '' ? null : name}
      onChange={(picked) => picked !== null && onPick(picked)}
      searchable
      limit={OFFERED}
      allowDeselect={false}
      nothingFoundMessage={t('subject.none')}
      miw={240}
      {...(search !== undefined && {
        searchValue: search.text,
        onSearchChange: search.setText,
        filter: ({ options }) => options,
      })}
    />
  );
}
