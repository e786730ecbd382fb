import { Select } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { isProtocol, TRANSPORTS, PROTOCOL_FACTS } from '#wire/protocol-catalogue';
import { MEMBERS } from '../../model/protocol-members.ts';
import { changeTransport } from '../../model/change-kind.ts';
import { placed, useEditing, useIssueAt, useTextAt } from '../parts/draft-context.tsx';
import { SocketOptions } from '../transports/socket-options.tsx';
import { TRANSPORT_FIELDS } from '../transports/transport-fields.ts';
import { SectionCard } from './section-card.tsx';
import { Hint } from '../../../../ui/layout/hint.tsx';

/** The transport and its settings. */
export const TransportSection = memo(function TransportSection() {
  const { t } = useTranslation('inboundEditor');
  const { replace, current } = useEditing();
  const protocol = useTextAt('protocol');
  const stored = useTextAt('streamSettings.network');
  const issue = useIssueAt('streamSettings.network');
  const transports = isProtocol(protocol) ? PROTOCOL_FACTS[protocol].transports : [];
  const hasStream = !isProtocol(protocol) || MEMBERS[protocol].stream !== null;
  const network = TRANSPORTS.find((name) => name === stored);
  const Fields = network === undefined ? null : TRANSPORT_FIELDS[network];
  return (
    <SectionCard section="transport">
      {transports.length > 0 ? (
        <>
          <Select
            label={t('field.transport')}
            wrapperProps={placed('streamSettings.network')}
            data={transports.map((value) => ({ value, label: t(`transport.${value}`) }))}
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
        <Hint>{t('transport.noChoice')}</Hint>
      )}
      {hasStream && <SocketOptions />}
    </SectionCard>
  );
});
