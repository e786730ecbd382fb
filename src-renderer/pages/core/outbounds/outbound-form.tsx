import { Select, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { FREEDOM } from '../basics/strategies.ts';
import { useNames } from '../draft/use-core-settings.ts';
import { textAt, type Path } from '../../../forms/draft/json.ts';
import { ChoiceField, ListField, NumberField, SwitchField, TextField } from '../parts/fields.tsx';
import { FinalRules } from './final-rules.tsx';
import { asProtocol, hasStream, PROTOCOLS, type Protocol } from './outbound-kinds.ts';
import { ServerFields } from './server-fields.tsx';
import { StreamFields } from './stream-fields.tsx';

interface OutboundFormProps {
  outbound: JsonObject;
  onEdit: (next: JsonObject) => void;
}

/** Name, kind, and the fields of that kind. */
export function OutboundForm({ outbound, onEdit }: OutboundFormProps) {
  const { t } = useTranslation(['core', 'words']);
  const { outbounds } = useNames();
  const protocol = textAt(outbound['protocol']);
  const kinds: readonly string[] = PROTOCOLS;
  const chains = outbounds.filter((tag) => tag !== outbound['tag']);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField root={outbound} path={['tag']} onEdit={onEdit} label={t('field.tag')} isFirst />
        <Select
          label={t('words:protocol')}
          data={kinds.includes(protocol) ? [...kinds] : [...kinds, protocol]}
          value={protocol}
          onChange={(value) =>
            value !== null && kinds.includes(value) && onEdit(asProtocol(outbound, value as Protocol))
          }
          allowDeselect={false}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <KindFields key={protocol} outbound={outbound} onEdit={onEdit} />
      </SimpleGrid>
      {protocol === 'freedom' && <FinalRules outbound={outbound} onEdit={onEdit} />}
      {hasStream(outbound) && <StreamFields outbound={outbound} onEdit={onEdit} />}
      {protocol !== 'blackhole' && protocol !== 'loopback' && (
        <ChoiceField
          root={outbound}
          path={['streamSettings', 'sockopt', 'dialerProxy']}
          onEdit={onEdit}
          label={t('field.dialerProxy')}
          description={t('outbounds.chainHint')}
          options={chains}
        />
      )}
    </>
  );
}

function KindFields({ outbound, onEdit }: OutboundFormProps) {
  const { t } = useTranslation(['core', 'words']);
  const { inbounds } = useNames();
  const at = (path: Path, label: string) => ({ root: outbound, path, onEdit, label });
  switch (outbound['protocol']) {
    case 'freedom':
      return (
        <>
          <ChoiceField
            {...at(['settings', 'domainStrategy'], t('field.domainStrategy'))}
            options={FREEDOM}
            placeholder="AsIs"
          />
          <TextField {...at(['settings', 'redirect'], t('field.redirect'))} placeholder="127.0.0.1:3366" />
        </>
      );
    case 'blackhole':
      return (
        <ChoiceField
          {...at(['settings', 'response', 'type'], t('words:answer'))}
          options={['none', 'http']}
          placeholder="none"
        />
      );
    case 'loopback':
      return <ChoiceField {...at(['settings', 'inboundTag'], t('field.inboundTag'))} options={inbounds} />;
    case 'dns':
      return (
        <>
          <TextField {...at(['settings', 'address'], t('words:address'))} placeholder="1.1.1.1" />
          <NumberField {...at(['settings', 'port'], t('words:port'))} max={65_535} />
          <ChoiceField {...at(['settings', 'network'], t('words:network'))} options={['tcp', 'udp']} />
        </>
      );
    case 'wireguard':
      return (
        <>
          <TextField {...at(['settings', 'secretKey'], t('field.secretKey'))} isSecret />
          <ListField {...at(['settings', 'address'], t('field.ownAddresses'))} placeholder="10.5.0.2/32" />
          <TextField {...at(['settings', 'peers', 0, 'publicKey'], t('field.publicKey'))} />
          <TextField
            {...at(['settings', 'peers', 0, 'endpoint'], t('field.endpoint'))}
            placeholder="example.org:51820"
          />
          <NumberField {...at(['settings', 'mtu'], t('field.mtu'))} min={1280} max={65_535} />
          <SwitchField {...at(['settings', 'noKernelTun'], t('field.noKernelTun'))} isOffAbsent={false} />
        </>
      );
    default:
      return <ServerFields outbound={outbound} onEdit={onEdit} />;
  }
}
