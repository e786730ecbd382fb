import { Select, Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { isProtocol, TRAITS, TRANSPORTS } from '../../model/catalog.ts';
import { changeTransport } from '../../model/change-kind.ts';
import { useEditing, useIssueAt, useTextAt } from '../parts/draft-context.tsx';
import { SocketOptions } from '../transports/socket-options.tsx';
import { TRANSPORT_FIELDS } from '../transports/transport-fields.ts';
import { SectionCard } from './section-card.tsx';

/** How bytes travel. */
export const TransportSection = memo(function TransportSection() {
  const { t } = useTranslation('inboundEditor');
  const { replace, current } = useEditing();
  const protocol = useTextAt('protocol');
  const stored = useTextAt('streamSettings.network');
  const issue = useIssueAt('streamSettings.network');
  const traits = isProtocol(protocol) ? TRAITS[protocol] : null;
  const network = TRANSPORTS.find((name) => name === stored);
  const Fields = network === undefined ? null : TRANSPORT_FIELDS[network];
  const hasChoice = traits !== null && traits.transports.length > 0;
  return (
    <SectionCard section="transport">
      {hasChoice ? (
        <>
          <Select
            label={t('field.transport')}
            data={traits.transports.map((value) => ({ value, label: t(`transport.${value}`) }))}
            value={network ?? null}
            allowDeselect={false}
            maw={360}
            error={issue}
            onChange={(next) => {
              if (next === null || next === network) return;
              const changed = changeTransport(current(), next);
              replace(changed.draft, changed.dropped);
            }}
          />
          {Fields !== null && <Fields />}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('transport.noChoice')}
        </Text>
      )}
      {traits?.stream !== null && <SocketOptions />}
    </SectionCard>
  );
});
