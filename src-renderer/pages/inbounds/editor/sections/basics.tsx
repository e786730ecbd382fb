import { NumberInput, Select, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PROTOCOLS, isProtocol } from '../../model/catalog.ts';
import { changeProtocol } from '../../model/change-kind.ts';
import { readAt, textAt } from '../../model/json-path.ts';
import { useDraft } from '../parts/draft-context.tsx';
import { ORDER, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { SectionCard } from './section-card.tsx';

const RESETS = ['never', 'hourly', 'daily', 'weekly', 'monthly'] as const;
const GIB = 1024 ** 3;

interface BasicsProps {
  place: { problem: string | null; isFree: boolean };
}

/** What the inbound is called, where it listens, and how long. */
export function BasicsSection({ place }: BasicsProps) {
  const { t } = useTranslation('inboundEditor');
  const { draft, edit, replace, issueAt } = useDraft();
  const protocol = textAt(draft, 'protocol');
  const port = readAt(draft, 'port');
  const total = readAt(draft, 'total');
  const reset = textAt(draft, 'trafficReset');
  return (
    <SectionCard section="basics">
      <FieldsGrid>
        <TextAt path="remark" name="remark" />
        <Select
          label={t('field.protocol')}
          data={[...PROTOCOLS]}
          value={protocol}
          allowDeselect={false}
          error={issueAt('protocol')}
          onChange={(next) => {
            if (next === null || !isProtocol(next) || next === protocol) return;
            const changed = changeProtocol(draft, next);
            replace(changed.draft, changed.dropped);
          }}
        />
        <div>
          <NumberInput
            label={t('field.port')}
            allowDecimal={false}
            hideControls
            thousandSeparator={false}
            value={typeof port === 'number' || typeof port === 'string' ? port : ''}
            error={issueAt('port') ?? portProblem(port, t('portRange')) ?? place.problem}
            onChange={(value) => edit('port', value === '' ? undefined : value)}
          />
          <Text size="xs" c="dimmed" aria-live="polite" mih={18}>
            {place.isFree && portProblem(port, '') === null ? t('portFree') : ''}
          </Text>
        </div>
        <TextAt path="listen" name="listen" hint="listen" placeholder="0.0.0.0" />
        <NumberInput
          label={t('field.quota')}
          description={t('hint.quota')}
          inputWrapperOrder={ORDER}
          min={0}
          decimalScale={2}
          hideControls
          suffix=" GiB"
          value={typeof total === 'number' && total > 0 ? total / GIB : ''}
          error={issueAt('total')}
          onChange={(value) => edit('total', value === '' ? 0 : Math.round(Number(value) * GIB))}
        />
        <ExpiryField />
        <Select
          label={t('field.trafficReset')}
          data={RESETS.map((value) => ({ value, label: t(`reset.${value}`) }))}
          value={reset === '' ? 'never' : reset}
          allowDeselect={false}
          onChange={(value) => edit('trafficReset', value ?? 'never')}
        />
        <TextAt path="tag" name="tag" hint="tag" />
        <EnableSwitch />
      </FieldsGrid>
    </SectionCard>
  );
}

function portProblem(port: unknown, message: string): string | null {
  return typeof port === 'number' && port >= 1 && port <= 65_535 ? null : message;
}

/** Absent means on here, unlike in the sections of the core. */
function EnableSwitch() {
  const { t } = useTranslation('inboundEditor');
  const { draft, edit } = useDraft();
  return (
    <Switch
      label={t('field.enable')}
      checked={readAt(draft, 'enable') !== false}
      onChange={(event) => edit('enable', event.currentTarget.checked)}
    />
  );
}

/** A moment in the browser's own zone; empty = never. */
function ExpiryField() {
  const { t } = useTranslation('inboundEditor');
  const { draft, edit, issueAt } = useDraft();
  const stored = readAt(draft, 'expiryTime');
  return (
    <TextInput
      type="datetime-local"
      label={t('field.expiry')}
      description={t('hint.expiry')}
      inputWrapperOrder={ORDER}
      value={typeof stored === 'number' && stored > 0 ? localText(stored) : ''}
      error={issueAt('expiryTime')}
      onChange={({ currentTarget: { value } }) => edit('expiryTime', value === '' ? 0 : new Date(value).getTime())}
    />
  );
}

/** `2030-01-31T14:30` in the browser's zone, as the field takes it. */
function localText(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
