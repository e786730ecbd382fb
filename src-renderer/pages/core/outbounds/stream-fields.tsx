import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { readAt, textAt, type Path } from '../../../forms/draft/json.ts';
import { ChoiceField, ListField, TextField } from '../parts/fields.tsx';

const NETWORKS = ['raw', 'ws', 'grpc', 'httpupgrade', 'xhttp', 'kcp'];
const SECURITIES = ['none', 'tls', 'reality'];
const FINGERPRINTS = ['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', 'randomized'];
const STREAM: Path = ['streamSettings'];

/** Transport and security of the connection to the server. Rarer options are edited as JSON. */
export function StreamFields({ outbound, onEdit }: { outbound: JsonObject; onEdit: (next: JsonObject) => void }) {
  const { t } = useTranslation('core');
  const network = textAt(readAt(outbound, [...STREAM, 'network'])) || 'raw';
  const security = textAt(readAt(outbound, [...STREAM, 'security'])) || 'none';
  const at = (path: Path, label: string) => ({ root: outbound, path: [...STREAM, ...path], onEdit, label });
  const isHysteria = network === 'hysteria';
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {!isHysteria && <ChoiceField {...at(['network'], t('field.transport'))} options={NETWORKS} placeholder="raw" />}
      <ChoiceField
        {...at(['security'], t('field.security'))}
        options={isHysteria ? ['tls'] : SECURITIES}
        placeholder="none"
      />
      {(network === 'ws' || network === 'httpupgrade' || network === 'xhttp') && (
        <>
          <TextField {...at([`${network}Settings`, 'path'], t('field.path'))} placeholder="/" />
          <TextField {...at([`${network}Settings`, 'host'], t('field.host'))} />
        </>
      )}
      {network === 'xhttp' && (
        <ChoiceField
          {...at(['xhttpSettings', 'mode'], t('field.mode'))}
          options={['auto', 'packet-up', 'stream-up', 'stream-one']}
        />
      )}
      {network === 'grpc' && <TextField {...at(['grpcSettings', 'serviceName'], t('field.serviceName'))} />}
      {security === 'tls' && (
        <>
          <TextField {...at(['tlsSettings', 'serverName'], t('field.serverName'))} />
          <ListField {...at(['tlsSettings', 'alpn'], t('field.alpn'))} suggestions={['h3', 'h2', 'http/1.1']} />
          <ChoiceField {...at(['tlsSettings', 'fingerprint'], t('field.fingerprint'))} options={FINGERPRINTS} />
        </>
      )}
      {security === 'reality' && (
        <>
          <TextField {...at(['realitySettings', 'serverName'], t('field.serverName'))} />
          <TextField {...at(['realitySettings', 'publicKey'], t('field.publicKey'))} />
          <TextField {...at(['realitySettings', 'shortId'], t('field.shortId'))} />
          <ChoiceField {...at(['realitySettings', 'fingerprint'], t('field.fingerprint'))} options={FINGERPRINTS} />
          <TextField {...at(['realitySettings', 'spiderX'], t('field.spiderX'))} placeholder="/" />
        </>
      )}
    </SimpleGrid>
  );
}
