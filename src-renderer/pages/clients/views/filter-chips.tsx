import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useIsJalali } from '../../../stores/calendar.ts';
import { persianText } from '../../../forms/dates/calendar-day.ts';
import { bytesOf, sizeText } from '../../../forms/byte-size.ts';
import { usePlans } from '../../plans/use-plans.ts';
import { NO_FILTERS, type ListAddress } from '../filters/list-address.ts';
import { inboundLabel, useInboundOptions } from '../use-inbound-options.ts';

interface FilterChipsProps {
  address: ListAddress;
  onChange: (part: Partial<ListAddress>) => void;
}

const STATES = ['online', 'active', 'exhausted', 'expired', 'expiring', 'disabled', 'depleted', 'deactive'] as const;
const YES = ['on', 'yes'];

/** A size of the address, which is in GiB, in the unit that fits; what is not understood as it is. */
function usageWords(gibibytes: string): string {
  const bytes = gibibytes === '' ? Number.NaN : Math.round(Number(gibibytes) * bytesOf('GiB'));
  return Number.isFinite(bytes) ? sizeText(bytes) : gibibytes;
}

/** The filters that are set, each with the way to take it off again. */
export function FilterChips({ address, onChange }: FilterChipsProps) {
  const { t } = useTranslation(['clients', 'views']);
  const isJalali = useIsJalali();
  const options = useInboundOptions();
  const plans = usePlans();
  const inboundName = (id: string): string => {
    const option = options.data?.find((one) => String(one.id) === id);
    return option === undefined ? `#${id}` : inboundLabel(option);
  };
  const planName = (id: string): string => plans.data?.find((one) => String(one.id) === id)?.name ?? `#${id}`;
  const day = (text: string): string => (isJalali ? persianText(text) || text : text);
  const state = STATES.find((one) => one === address.status);
  const words: [name: keyof ListAddress, label: string, value: string][] = [
    ['q', t('views:chip.search'), address.q],
    ['status', t('status.label'), state === undefined ? address.status : t(`status.${state}`)],
    ['group', t('column.group'), address.group],
    ['inbound', t('column.inbounds'), address.inbound.split(',').filter(Boolean).map(inboundName).join(', ')],
    ['plan', t('column.plan'), address.plan.split(',').filter(Boolean).map(planName).join(', ')],
    ['protocol', t('filters.protocol'), address.protocol],
    ['expiryFrom', t('filters.expiryFrom'), day(address.expiryFrom)],
    ['expiryTo', t('filters.expiryTo'), day(address.expiryTo)],
    ...(['usageFrom', 'usageTo'] as const).map((name): [keyof ListAddress, string, string] => [
      name,
      t(`filters.${name}`),
      usageWords(address[name]),
    ]),
    ...(['autoRenew', 'hasComment', 'hasTgId'] as const).map((name): [keyof ListAddress, string, string] => [
      name,
      t(`filters.${name}`),
      address[name] === '' ? '' : t(YES.includes(address[name]) ? 'filters.yes' : 'filters.no'),
    ]),
  ];
  const set = words.filter(([, , value]) => value !== '');
  if (set.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={t('views:chip.label')}>
      {set.map(([name, label, value]) => (
        <Button
          key={name}
          size="compact-sm"
          variant="light"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={t('views:chip.remove', { filter: label })}
          onClick={() => onChange({ [name]: '' })}
        >
          <span>
            {label}: <bdi>{value}</bdi>
          </span>
        </Button>
      ))}
      {set.length > 1 && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange(NO_FILTERS)}>
          {t('clearFilters')}
        </Button>
      )}
    </Group>
  );
}
