import { MomentField } from '../../../../forms/dates/moment-field.tsx';
import { NumberField } from '../../../../forms/number-field.tsx';
import { SizeField } from '../../../../forms/size-field.tsx';
import { Select, Switch, Text } from '@mantine/core';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PROTOCOLS, isProtocol } from '#wire/protocol-catalogue';
import { changeProtocol } from '../../model/change-kind.ts';
import { placed, useEditing, useIssueAt, useTextAt, useValueAt } from '../parts/draft-context.tsx';
import { ORDER, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { usePlaceCheck } from '../use-place-check.ts';
import { NodeField } from './node-field.tsx';
import { ServerField } from './server-field.tsx';
import { SectionCard } from './section-card.tsx';

const RESETS = ['never', 'hourly', 'daily', 'weekly', 'monthly'] as const;

/** Name, listening address and expiry of the inbound. @param ownId 0 = a new one */
export const BasicsSection = memo(function BasicsSection({ ownId }: { ownId: number }) {
  return (
    <SectionCard section="basics">
      <FieldsGrid>
        <TextAt path="remark" name="remark" />
        <ProtocolField />
        <NodeField ownId={ownId} />
        <ServerField />
        <PortField ownId={ownId} />
        <TextAt path="listen" name="listen" hint="listen" placeholder="0.0.0.0" />
        <QuotaField />
        <ExpiryField />
        <ResetField />
        <TextAt path="tag" name="tag" hint="tag" />
        <EnableSwitch />
      </FieldsGrid>
    </SectionCard>
  );
});

function ProtocolField() {
  const { t } = useTranslation('inboundEditor');
  const { replace, current } = useEditing();
  const protocol = useTextAt('protocol');
  const issue = useIssueAt('protocol');
  return (
    <Select
      label={t('field.protocol')}
      wrapperProps={placed('protocol')}
      data={[...PROTOCOLS]}
      value={protocol}
      allowDeselect={false}
      error={issue}
      onChange={(next) => {
        if (next === null || !isProtocol(next) || next === protocol) return;
        const changed = changeProtocol(current(), next);
        replace(changed.draft, changed.dropped);
      }}
    />
  );
}

/** Shows while typing whether the port is free, and which inbound has it otherwise. */
function PortField({ ownId }: { ownId: number }) {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const port = useValueAt('port');
  const issue = useIssueAt('port');
  const place = usePlaceCheck(ownId);
  const isPort = Number.isInteger(port) && typeof port === 'number' && port >= 1 && port <= 65_535;
  return (
    <div>
      <NumberField
        label={t('field.port')}
        wrapperProps={placed('port')}
        hideControls
        value={typeof port === 'number' || typeof port === 'string' ? port : null}
        empty={null}
        error={issue ?? (isPort ? place.problem : t('portRange'))}
        onChange={(value) => edit('port', value ?? undefined)}
      />
      <Text size="xs" c="dimmed" aria-live="polite" mih={18}>
        {place.isFree && isPort ? t('portFree') : ''}
      </Text>
    </div>
  );
}

function QuotaField() {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const total = useValueAt('total');
  const issue = useIssueAt('total');
  return (
    <SizeField
      label={t('field.quota')}
      wrapperProps={placed('total')}
      description={t('hint.quota')}
      inputWrapperOrder={ORDER}
      value={typeof total === 'string' || (typeof total === 'number' && total > 0) ? total : undefined}
      error={issue}
      onChange={(value) => edit('total', value ?? 0)}
    />
  );
}

function ResetField() {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const reset = useTextAt('trafficReset');
  return (
    <Select
      label={t('field.trafficReset')}
      description={t('hint.trafficReset')}
      wrapperProps={placed('trafficReset')}
      data={RESETS.map((value) => ({ value, label: t(`reset.${value}`) }))}
      value={reset === '' ? 'never' : reset}
      allowDeselect={false}
      onChange={(value) => edit('trafficReset', value ?? 'never')}
    />
  );
}

/** Absent means on here, unlike in the core's own sections. */
function EnableSwitch() {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const isOn = useValueAt('enable') !== false;
  return (
    <Switch
      label={t('field.enable')}
      checked={isOn}
      onChange={(event) => edit('enable', event.currentTarget.checked)}
    />
  );
}

/** A moment in the browser's own zone; empty = never. */
function ExpiryField() {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const stored = useValueAt('expiryTime');
  const issue = useIssueAt('expiryTime');
  // A year is typed digit by digit: it stays in the field while it is none that can be stored.
  const [typed, setTyped] = useState({ moment: '', ms: 0 });
  const shown = typeof stored === 'number' && stored > 0 ? localText(stored) : '';
  return (
    <MomentField
      label={t('field.expiry')}
      wrapperProps={placed('expiryTime')}
      description={t('hint.expiry')}
      inputWrapperOrder={ORDER}
      value={stored === typed.ms ? typed.moment : shown}
      error={issue}
      onChange={(moment) => {
        const ms = moment === '' ? 0 : new Date(moment).getTime();
        setTyped({ moment, ms });
        edit('expiryTime', ms);
      }}
    />
  );
}

/** `2030-01-31T14:30` in the browser's zone, as the field expects it. */
function localText(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
