import { Select, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { FREEDOM } from '../basics/strategies.ts';
import { useNames } from '../draft/use-core-settings.ts';
import { textAt, type Path } from '../../../forms/draft/json.ts';
import { ChoiceField, ListField, NumberField, SwitchField, TextField } from '../parts/fields.tsx';
import { FinalRules } from './final-rules.tsx';
import { asProtocol, hasStream, PROTOCOLS, serverPath, userPath, type Protocol } from './outbound-kinds.ts';
import { StreamFields } from './stream-fields.tsx';

const FLOWS = ['xtls-rprx-vision', 'xtls-rprx-vision-udp443'];
const VMESS = ['auto', 'aes-128-gcm', 'chacha20-poly1305', 'none', 'zero'];
const CIPHERS = [
  '2022-blake3-aes-128-gcm',
  '2022-blake3-aes-256-gcm',
  '2022-blake3-chacha20-poly1305',
  'aes-128-gcm',
  'aes-256-gcm',
  'chacha20-poly1305',
  'xchacha20-poly1305',
  'none',
];

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
  const server = serverPath(outbound);
  const user = userPath(outbound);
  const at = (path: Path, label: string) => ({ root: outbound, path, onEdit, label });
  const address = <TextField {...at([...server, 'address'], t('words:address'))} placeholder="example.org" />;
  const port = <NumberField {...at([...server, 'port'], t('words:port'))} min={1} max={65_535} />;
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
    case 'vless':
      return (
        <>
          {address}
          {port}
          <TextField {...at([...user, 'id'], t('field.id'))} />
          <ChoiceField {...at([...user, 'flow'], t('field.flow'))} options={FLOWS} />
          <TextField {...at([...user, 'encryption'], t('field.encryption'))} placeholder="none" />
        </>
      );
    case 'vmess':
      return (
        <>
          {address}
          {port}
          <TextField {...at([...user, 'id'], t('field.id'))} />
          <ChoiceField {...at([...user, 'security'], t('field.cipher'))} options={VMESS} />
        </>
      );
    case 'trojan':
      return (
        <>
          {address}
          {port}
          <TextField {...at([...server, 'password'], t('words:password'))} isSecret />
        </>
      );
    case 'shadowsocks':
      return (
        <>
          {address}
          {port}
          <ChoiceField {...at([...server, 'method'], t('field.cipher'))} options={CIPHERS} isClearable={false} />
          <TextField {...at([...server, 'password'], t('words:password'))} isSecret />
        </>
      );
    case 'hysteria':
      return (
        <>
          {address}
          {port}
          <TextField {...at(['streamSettings', 'hysteriaSettings', 'auth'], t('words:password'))} isSecret />
        </>
      );
    case 'socks':
    case 'http':
      return (
        <>
          {address}
          {port}
          <TextField {...at([...user, 'user'], t('field.user'))} />
          <TextField {...at([...user, 'pass'], t('words:password'))} isSecret />
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
      return null;
  }
}
