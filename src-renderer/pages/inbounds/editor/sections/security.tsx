import { SegmentedControl, Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { isProtocol, securitiesOf, SECURITIES } from '#wire/protocol-catalogue';
import { changeSecurity } from '../../model/change-kind.ts';
import { writeAt } from '../../../../forms/draft/json.ts';
import { useEditing, useIssueAt, useTextAt } from '../parts/draft-context.tsx';
import { randomHex } from '../parts/random-text.ts';
import { SECURITY_FIELDS } from '../security/security-fields.ts';
import { SectionCard } from './section-card.tsx';
import { Hint } from '../../../../ui/layout/hint.tsx';

const SHORT_IDS = 'streamSettings.realitySettings.shortIds';

/** The encryption of the traffic. */
export const SecuritySection = memo(function SecuritySection() {
  const { t } = useTranslation('inboundEditor');
  const { replace, current } = useEditing();
  const protocol = useTextAt('protocol');
  const network = useTextAt('streamSettings.network') || 'tcp';
  const stored = useTextAt('streamSettings.security') || 'none';
  const choices = isProtocol(protocol) ? securitiesOf(protocol, network) : [];
  const security = SECURITIES.find((name) => name === stored);
  const Fields = security === undefined ? null : SECURITY_FIELDS[security];
  const issue = useIssueAt('streamSettings.security');
  return (
    <SectionCard section="security">
      {choices.length === 0 ? (
        <Hint>{t('security.noChoice')}</Hint>
      ) : (
        <SegmentedControl
          aria-label={t('field.security')}
          w="fit-content"
          data={choices.map((value) => ({ value, label: t(`security.${value}`) }))}
          value={security ?? 'none'}
          onChange={(next) => {
            const changed = changeSecurity(current(), next);
            const isFresh = next === 'reality' && next !== security;
            // An empty id identifies no client.
            replace(isFresh ? writeAt(changed.draft, SHORT_IDS, [randomHex(8)]) : changed.draft, changed.dropped);
          }}
        />
      )}
      {issue !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {issue}
        </Text>
      )}
      {choices.length > 0 && Fields !== null && <Fields />}
    </SectionCard>
  );
});
