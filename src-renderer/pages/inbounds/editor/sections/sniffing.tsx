import { Switch } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { objectAt } from '../../../../forms/draft/json.ts';
import { useEditing, useValueAt } from '../parts/draft-context.tsx';
import { ListAt, SwitchAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { SectionCard } from './section-card.tsx';

const KINDS = ['http', 'tls', 'quic', 'fakedns'];

/** Reads the destination's name from the traffic, so that domain rules work. */
export const SniffingSection = memo(function SniffingSection() {
  const { t } = useTranslation('inboundEditor');
  const { edit, current } = useEditing();
  const isOn = useValueAt('sniffing.enabled') === true;
  return (
    <SectionCard section="sniffing">
      <Switch
        label={t('field.sniffing')}
        description={t('hint.sniffing')}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) =>
          edit('sniffing', {
            ...(checked ? { destOverride: KINDS } : {}),
            ...objectAt(current(), 'sniffing'),
            enabled: checked,
          })
        }
      />
      {isOn && (
        <FieldsGrid>
          <ListAt path="sniffing.destOverride" name="destOverride" options={KINDS} />
          <div />
          <SwitchAt path="sniffing.metadataOnly" name="metadataOnly" />
          <SwitchAt path="sniffing.routeOnly" name="routeOnly" hint="routeOnly" />
          <ListAt path="sniffing.domainsExcluded" name="domainsExcluded" />
          <ListAt path="sniffing.ipsExcluded" name="ipsExcluded" />
        </FieldsGrid>
      )}
    </SectionCard>
  );
});
