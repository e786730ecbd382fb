import { SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDraft, useTestUrl } from '../model/draft.ts';
import { textAt, type Path } from '../../../forms/draft/json.ts';
import { itemsAt, OUTBOUNDS } from '../model/lists.ts';
import { ChoiceField, NumberField, SizeField, SwitchField, TextField } from '../parts/fields.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { FREEDOM } from './strategies.ts';

const LEVELS = ['debug', 'info', 'warning', 'error', 'none'];
const MASKS = ['quarter', 'half', 'full'];
const ROUTING = ['AsIs', 'IPIfNonMatch', 'IPOnDemand'];
const LEVEL_STATS = ['statsUserUplink', 'statsUserDownlink'] as const;
const SYSTEM_STATS = [
  'statsInboundUplink',
  'statsInboundDownlink',
  'statsOutboundUplink',
  'statsOutboundDownlink',
] as const;
const TIMES = ['handshake', 'connIdle', 'uplinkOnly', 'downlinkOnly'] as const;
const LEVEL_0: Path = ['policy', 'levels', '0'];

/** The settings most operators change: log, counting, policies, and how direct and blocked traffic is treated. */
export function BasicsSection() {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const edit = useDraft((draft) => draft.change);
  const testUrl = useTestUrl(({ typed }) => typed);
  const at = (path: Path, label: string, description?: string) => ({
    root: template,
    path,
    label,
    description,
    onEdit: (next: typeof template, field: string) => edit(() => next, field),
  });
  const outbounds = itemsAt(template, OUTBOUNDS).map((outbound, index) => ({ outbound, index }));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <TitledCard title={t('basics.log')}>
        <ChoiceField {...at(['log', 'loglevel'], t('basics.logLevel'))} options={LEVELS} placeholder="warning" />
        <TextField {...at(['log', 'access'], t('basics.accessLog'), t('basics.accessHint'))} placeholder="none" />
        <TextField {...at(['log', 'error'], t('basics.errorLog'))} />
        <SwitchField {...at(['log', 'dnsLog'], t('basics.dnsLog'))} isOffAbsent={false} />
        <ChoiceField {...at(['log', 'maskAddress'], t('basics.mask'))} options={MASKS} />
      </TitledCard>
      <TitledCard title={t('basics.stats')}>
        {LEVEL_STATS.map((name) => (
          <SwitchField key={name} {...at([...LEVEL_0, name], t(`stats.${name}`))} isOffAbsent={false} />
        ))}
        {SYSTEM_STATS.map((name) => (
          <SwitchField key={name} {...at(['policy', 'system', name], t(`stats.${name}`))} isOffAbsent={false} />
        ))}
        <Hint size="xs">{t('basics.statsHint')}</Hint>
      </TitledCard>
      <TitledCard title={t('basics.strategies')}>
        <ChoiceField {...at(['routing', 'domainStrategy'], t('basics.routing'))} options={ROUTING} placeholder="AsIs" />
        {outbounds
          .filter(({ outbound }) => outbound['protocol'] === 'freedom')
          .map(({ outbound, index }) => (
            <ChoiceField
              key={index}
              {...at(
                ['outbounds', index, 'settings', 'domainStrategy'],
                t('basics.freedom', { tag: textAt(outbound['tag']) }),
              )}
              options={FREEDOM}
              placeholder="AsIs"
            />
          ))}
        {outbounds
          .filter(({ outbound }) => outbound['protocol'] === 'blackhole')
          .map(({ outbound, index }) => (
            <ChoiceField
              key={index}
              {...at(
                ['outbounds', index, 'settings', 'response', 'type'],
                t('basics.blackhole', { tag: textAt(outbound['tag']) }),
              )}
              options={['none', 'http']}
              placeholder="none"
            />
          ))}
        <TextInput
          label={t('basics.testUrl')}
          description={t('basics.testUrlHint')}
          dir="ltr"
          value={testUrl}
          onChange={(event) => useTestUrl.setState({ typed: event.currentTarget.value })}
        />
      </TitledCard>
      <TitledCard title={t('basics.policy')}>
        <Hint size="xs">{t('basics.policyHint')}</Hint>
        {TIMES.map((name) => (
          <NumberField key={name} {...at([...LEVEL_0, name], t(`policy.${name}`))} />
        ))}
        <SizeField {...at([...LEVEL_0, 'bufferSize'], t('policy.bufferSize'))} unit="KiB" min={-1} />
      </TitledCard>
    </SimpleGrid>
  );
}
