import { Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isProtocol, TRAITS, TRANSPORTS } from '../../model/catalog.ts';
import { changeTransport } from '../../model/change-kind.ts';
import { textAt } from '../../model/json-path.ts';
import { useDraft } from '../parts/draft-context.tsx';
import { SocketOptions } from '../transports/socket-options.tsx';
import { TRANSPORT_FIELDS } from '../transports/transport-fields.ts';
import { SectionCard } from './section-card.tsx';

/** How bytes travel. */
export function TransportSection() {
  const { t } = useTranslation('inboundEditor');
  const { draft, replace, issueAt } = useDraft();
  const protocol = textAt(draft, 'protocol');
  const traits = isProtocol(protocol) ? TRAITS[protocol] : null;
  const network = TRANSPORTS.find((name) => name === textAt(draft, 'streamSettings.network'));
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
            error={issueAt('streamSettings.network')}
            onChange={(next) => {
              if (next === null || next === network) return;
              const changed = changeTransport(draft, next);
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
}
