import { Badge, Button, Group, MultiSelect, Popover, Select, Stack } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { bytesOf } from '../../../forms/byte-size.ts';
import { DayField } from '../../../forms/dates/day-field.tsx';
import { SizeField, type Size } from '../../../forms/size-field.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { usePlans } from '../../plans/use-plans.ts';
import { MORE_FILTERS, type ListAddress, type MoreFilter } from './list-address.ts';
import { failureOf } from '../../../api/use-read.ts';
import { inboundLabel, useInboundOptions } from '../use-inbound-options.ts';

interface MoreFiltersProps {
  address: ListAddress;
  onChange: (part: Partial<ListAddress>) => void;
}

const YES_NO = { autoRenew: ['on', 'off'], hasComment: ['yes', 'no'], hasTgId: ['yes', 'no'] } as const;

const GIB = bytesOf('GiB');

/** The address holds GiB. What is not understood stays in it as it is, and filters nothing. */
function sizeIn(gibibytes: string): Size {
  if (gibibytes === '') return undefined;
  const value = Number(gibibytes);
  return Number.isFinite(value) ? Math.round(value * GIB) : gibibytes;
}
const gibibytesOf = (size: Size): string => (typeof size === 'number' ? String(size / GIB) : (size ?? ''));

/** Filters that are needed less often; how many are set stands on the button. */
export function MoreFilters({ address, onChange }: MoreFiltersProps) {
  const { t } = useTranslation('clients');
  const format = useFormat();
  const inbounds = useInboundOptions();
  const plans = usePlans();
  const set = MORE_FILTERS.filter((name) => address[name] !== '').length;
  const listOf = (name: MoreFilter): string[] => address[name].split(',').filter((part) => part !== '');
  const protocols = [...new Set((inbounds.data ?? []).map(({ protocol }) => protocol))];
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus shadow="md" width={320}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          rightSection={set > 0 ? <Badge circle>{format.number(set)}</Badge> : undefined}
        >
          {t('filters.title')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('filters.title')}>
        <Stack gap="xs">
          <MultiSelect
            label={t('column.inbounds')}
            data={(inbounds.data ?? []).map((option) => ({ value: String(option.id), label: inboundLabel(option) }))}
            value={listOf('inbound')}
            error={failureOf(inbounds)}
            onChange={(ids) => onChange({ inbound: ids.join(',') })}
            comboboxProps={{ withinPortal: false }}
            // The first field gets the focus: a list that opens by itself would lie over the others.
            openOnFocus={false}
            searchable
            clearable
          />
          {((plans.data ?? []).length > 0 || failureOf(plans) !== undefined) && (
            <MultiSelect
              label={t('column.plan')}
              error={failureOf(plans)}
              data={(plans.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              value={listOf('plan')}
              onChange={(ids) => onChange({ plan: ids.join(',') })}
              comboboxProps={{ withinPortal: false }}
              searchable
              clearable
            />
          )}
          <MultiSelect
            label={t('filters.protocol')}
            data={protocols}
            value={listOf('protocol')}
            onChange={(names) => onChange({ protocol: names.join(',') })}
            comboboxProps={{ withinPortal: false }}
            clearable
          />
          <Group grow>
            <DayField
              isInPopover
              label={t('filters.expiryFrom')}
              value={address.expiryFrom}
              onChange={(expiryFrom) => onChange({ expiryFrom })}
            />
            <DayField
              isInPopover
              label={t('filters.expiryTo')}
              value={address.expiryTo}
              onChange={(expiryTo) => onChange({ expiryTo })}
            />
          </Group>
          <Group grow>
            {(['usageFrom', 'usageTo'] as const).map((name) => (
              <SizeField
                key={name}
                label={t(`filters.${name}`)}
                value={sizeIn(address[name])}
                onChange={(size) => onChange({ [name]: gibibytesOf(size) })}
              />
            ))}
          </Group>
          {(['autoRenew', 'hasComment', 'hasTgId'] as const).map((name) => (
            <Select
              key={name}
              label={t(`filters.${name}`)}
              placeholder={t('filters.any')}
              data={YES_NO[name].map((value, at) => ({ value, label: t(at === 0 ? 'filters.yes' : 'filters.no') }))}
              value={address[name] || null}
              onChange={(value) => onChange({ [name]: value ?? '' })}
              comboboxProps={{ withinPortal: false }}
              clearable
            />
          ))}
          <Button
            variant="subtle"
            disabled={set === 0}
            onClick={() => onChange(Object.fromEntries(MORE_FILTERS.map((name) => [name, ''])))}
          >
            {t('filters.clear')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
