import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import type { Path } from '../../../forms/draft/json.ts';
import { ChoiceField, NumberField, TextField } from '../parts/fields.tsx';
import { serverPath, userPath, withoutBlankAccount } from './outbound-kinds.ts';

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

interface ServerFieldsProps {
  outbound: JsonObject;
  onEdit: (next: JsonObject) => void;
}

/** Address and credentials of a proxy server; nothing for a kind that is not known. */
export function ServerFields({ outbound, onEdit }: ServerFieldsProps) {
  const { t } = useTranslation(['core', 'words']);
  const server = serverPath(outbound);
  const user = userPath(outbound);
  const at = (path: Path, label: string) => ({ root: outbound, path, onEdit, label });
  const editAccount = (next: JsonObject): void => onEdit(withoutBlankAccount(next));
  const credentials = ((): ReactNode => {
    switch (outbound['protocol']) {
      case 'vless':
        return (
          <>
            <TextField {...at([...user, 'id'], t('field.id'))} />
            <ChoiceField {...at([...user, 'flow'], t('field.flow'))} options={FLOWS} />
            <TextField {...at([...user, 'encryption'], t('field.encryption'))} placeholder="none" />
          </>
        );
      case 'vmess':
        return (
          <>
            <TextField {...at([...user, 'id'], t('field.id'))} />
            <ChoiceField {...at([...user, 'security'], t('field.cipher'))} options={VMESS} />
          </>
        );
      case 'trojan':
        return <TextField {...at([...server, 'password'], t('words:password'))} isSecret />;
      case 'shadowsocks':
        return (
          <>
            <ChoiceField {...at([...server, 'method'], t('field.cipher'))} options={CIPHERS} isClearable={false} />
            <TextField {...at([...server, 'password'], t('words:password'))} isSecret />
          </>
        );
      case 'hysteria':
        return <TextField {...at(['streamSettings', 'hysteriaSettings', 'auth'], t('words:password'))} isSecret />;
      case 'socks':
      case 'http':
        return (
          <>
            <TextField {...at([...user, 'user'], t('field.user'))} onEdit={editAccount} />
            <TextField {...at([...user, 'pass'], t('words:password'))} onEdit={editAccount} isSecret />
          </>
        );
      default:
        return null;
    }
  })();
  if (credentials === null) return null;
  return (
    <>
      <TextField {...at([...server, 'address'], t('words:address'))} placeholder="example.org" />
      <NumberField {...at([...server, 'port'], t('words:port'))} min={1} max={65_535} />
      {credentials}
    </>
  );
}
