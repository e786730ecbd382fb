import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { StoredInbound } from '../../../../src-main/bridge/panels.ts';
import type { TransferRequest } from '../../../../src-main/bridge/jobs.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { failureOf } from '../../../api/use-read.ts';
import { focusRefused } from '../../../forms/focus-refused.ts';
import type { NamedPanel } from '../panel-names.ts';
import { emailsIn, useEmailsProblem } from '../typed-emails.ts';

export interface TransferDraft {
  fromId: string | null;
  toId: string | null;
  mode: 'copy' | 'move';
  inboundIds: string[];
  withClients: boolean;
  emails: string;
  ontoInboundIds: string[];
}

interface FormProps {
  draft: TransferDraft;
  panels: readonly NamedPanel[];
  onChange: (draft: TransferDraft) => void;
  onPlan: (request: TransferRequest) => void;
}

/** What to transfer, from which panel, and to which. */
export function TransferForm({ draft, panels, onChange, onPlan }: FormProps) {
  const { t } = useTranslation('works');
  const [isChecked, setChecked] = useState(false);
  const { fromId, toId, mode, inboundIds, withClients, ontoInboundIds } = draft;
  const source = useInbounds(fromId);
  const target = useInbounds(toId);
  const sourceInbounds = source.data?.inbounds ?? [];
  const emails = emailsIn(draft.emails);
  const emailsProblem = useEmailsProblem(emails);
  const set = (part: Partial<TransferDraft>): void => onChange({ ...draft, ...part });
  const data = panels.map(({ id, name }) => ({ value: id, label: name }));
  const isNothing = inboundIds.length === 0 && emails.length === 0;
  const isOntoMissing = emails.length > 0 && ontoInboundIds.length === 0;
  const toProblem = toId === null ? t('transfer.panelMissing') : toId === fromId ? t('message.samePanel') : null;
  const handleSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    flushSync(() => setChecked(true));
    const isReady = toProblem === null && emailsProblem === null && !isNothing && !isOntoMissing;
    if (fromId === null || toId === null || !isReady) return focusRefused(event.currentTarget);
    const numbers = (ids: readonly string[]): number[] => ids.map(Number);
    onPlan({
      fromId,
      toId,
      mode,
      inboundIds: numbers(inboundIds),
      withClients,
      emails,
      ontoInboundIds: emails.length > 0 ? numbers(ontoInboundIds) : [],
    });
  };
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack>
        <div>
          <SegmentedControl
            aria-label={t('transfer.mode')}
            value={mode}
            data={(['copy', 'move'] as const).map((value) => ({ value, label: t(`transfer.${value}`) }))}
            onChange={(value) => set({ mode: value })}
          />
          {mode === 'move' && <Text size="sm">{t('transfer.moveHint')}</Text>}
        </div>
        <Group grow align="start">
          <Select
            label={t('transfer.from')}
            data={data}
            value={fromId}
            error={isChecked && fromId === null && t('transfer.panelMissing')}
            onChange={(id) => set({ fromId: id, inboundIds: [] })}
          />
          <Select
            label={t('transfer.to')}
            data={data}
            value={toId}
            error={isChecked && toProblem}
            onChange={(id) => set({ toId: id, ontoInboundIds: [] })}
          />
        </Group>
        {fromId !== null && (
          <Checkbox.Group
            label={t('transfer.inbounds')}
            value={inboundIds}
            error={isChecked && isNothing && t('transfer.nothingChosen')}
            onChange={(ids) => set({ inboundIds: ids })}
          >
            <Stack gap="xs" mt="xs">
              {source.isSuccess && sourceInbounds.length === 0 && <Text size="sm">{t('transfer.noInbounds')}</Text>}
              {source.isError && (
                <Text size="sm" c="red">
                  {failureOf(source)}
                </Text>
              )}
              {sourceInbounds.map(({ id, name, protocol, port }) => (
                <Checkbox
                  key={id}
                  value={String(id)}
                  aria-invalid={isChecked && isNothing}
                  label={<bdi>{labelOf({ name, protocol, port })}</bdi>}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {inboundIds.length > 0 && (
          <Switch
            label={t('transfer.withClients')}
            checked={withClients}
            onChange={(event) => set({ withClients: event.currentTarget.checked })}
          />
        )}
        <Textarea
          label={t('transfer.emails')}
          description={t('transfer.emailsHint')}
          rows={3}
          dir="ltr"
          value={draft.emails}
          error={emailsProblem}
          onChange={(event) => set({ emails: event.currentTarget.value })}
        />
        {emails.length > 0 && toId !== null && (
          <MultiSelect
            label={t('transfer.onto')}
            data={(target.data?.inbounds ?? []).map(({ id, ...inbound }) => ({
              value: String(id),
              label: labelOf(inbound),
            }))}
            value={ontoInboundIds}
            error={failureOf(target) ?? (isChecked && isOntoMissing && t('transfer.ontoMissing'))}
            onChange={(ids) => set({ ontoInboundIds: ids })}
          />
        )}
        <Group>
          <Button type="submit">{t('transfer.plan')}</Button>
        </Group>
      </Stack>
    </form>
  );
}

const labelOf = ({ name, protocol, port }: Pick<StoredInbound, 'name' | 'protocol' | 'port'>): string =>
  `${name} · ${protocol} · ${port}`;

/** Inbounds as last read; the plan reads them again. */
function useInbounds(id: string | null) {
  return useQuery({
    queryKey: ['panels', 'inventory', id, 'inbounds'],
    queryFn: () => requireDesktop().panels.inventory(id ?? ''),
    enabled: id !== null,
    staleTime: 0,
  });
}
