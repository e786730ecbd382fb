import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { useDraft } from '../model/draft.ts';
import { objectAt, textAt, withMember } from '../../../forms/draft/json.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { NumberField } from '../../../forms/number-field.tsx';

const FIRST: JsonObject = { ipPool: '198.18.0.0/15', poolSize: 65_535 };
const SECOND: JsonObject = { ipPool: 'fc00::/18', poolSize: 65_535 };

/** Addresses that stand in for names until the core has to dial. */
export function FakeIpPools() {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const edit = useDraft((draft) => draft.change);
  const stored = template['fakedns'];
  // A single pool may be stored without an array around it.
  const pools = (Array.isArray(stored) ? stored : stored === undefined || stored === null ? [] : [stored]).map((pool) =>
    objectAt(pool),
  );
  const write = (next: JsonObject[], field = ''): void =>
    edit((before) => withMember(before, 'fakedns', next.length === 0 ? undefined : next), field);
  const put = (index: number, key: string, value: string | number): void =>
    write(
      pools.map((pool, at) => (at === index ? withMember(pool, key, value) : pool)),
      `pool ${index} ${key}`,
    );
  return (
    <TitledCard
      title={t('dns.pools')}
      actions={
        <Button variant="default" onClick={() => write([...pools, pools.length === 0 ? FIRST : SECOND])}>
          {t('dns.addPool')}
        </Button>
      }
    >
      <Hint>{t('dns.poolsHint')}</Hint>
      {pools.map((pool, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- pools have no name; the place is the identity
        <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={t('dns.pool')}
            dir="ltr"
            value={textAt(pool['ipPool'])}
            onChange={(event) => put(index, 'ipPool', event.currentTarget.value)}
            flex={2}
          />
          <NumberField
            label={t('dns.poolSize')}
            min={1}
            value={typeof pool['poolSize'] === 'number' ? pool['poolSize'] : null}
            onChange={(size) => put(index, 'poolSize', size)}
            flex={1}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size={36}
            aria-label={t('dns.dropPool', { number: index + 1 })}
            onClick={() => write(pools.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
    </TitledCard>
  );
}
