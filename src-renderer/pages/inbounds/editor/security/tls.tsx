import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nodeWebCert } from '#contract/nodes/probes';
import { getCertHash, getNewEchCert, getWebCertFiles } from '#contract/server';
import { useCall } from '../../../../api/transport-context.tsx';
import { objectAt, readAt, textAt } from '../../../../forms/draft/json.ts';
import { useEditing } from '../parts/draft-context.tsx';
import { ChoiceAt, ListAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { GenerateButton } from '../parts/generate-button.tsx';
import { RowsAt } from '../parts/rows-at.tsx';
import { CertificateFields } from './certificate.tsx';
import { FINGERPRINTS } from './fingerprints.ts';

const AT = 'streamSettings.tlsSettings';
const VERSIONS = ['1.0', '1.1', '1.2', '1.3'];

/** TLS: certificates, and what clients are given of them. */
export function TlsFields() {
  return (
    <>
      <Certificates />
      <FieldsGrid>
        <TextAt path={`${AT}.serverName`} name="serverName" hint="serverName" />
        <ListAt path={`${AT}.alpn`} name="alpn" options={['h3', 'h2', 'http/1.1']} />
        <ChoiceAt path={`${AT}.minVersion`} name="minVersion" options={VERSIONS} emptyLabel="1.2" />
        <ChoiceAt path={`${AT}.maxVersion`} name="maxVersion" options={VERSIONS} emptyLabel="1.3" />
        <TextAt path={`${AT}.cipherSuites`} name="cipherSuites" isAbsentWhenEmpty />
        <ListAt path={`${AT}.curvePreferences`} name="curvePreferences" />
        <SwitchAt path={`${AT}.rejectUnknownSni`} name="rejectUnknownSni" />
        <SwitchAt path={`${AT}.enableSessionResumption`} name="sessionResumption" />
        <ChoiceAt path={`${AT}.settings.fingerprint`} name="fingerprint" options={FINGERPRINTS} emptyLabel="—" />
        <Pins />
        <TextAt path={`${AT}.settings.verifyPeerCertByName`} name="verifyName" isAbsentWhenEmpty />
      </FieldsGrid>
      <EncryptedHello />
    </>
  );
}

/** Hashes that clients compare the certificate with, read from the inbound's first one. */
function Pins() {
  const { t } = useTranslation('inboundEditor');
  const call = useCall();
  const { edit, current } = useEditing();
  const path = `${AT}.settings.pinnedPeerCertSha256`;
  const read = async (): Promise<void> => {
    const first = objectAt(current(), `${AT}.certificates.0`);
    const lines = Array.isArray(first['certificate']) ? first['certificate'].map(String) : [];
    const certFile = textAt(first, 'certificateFile');
    if (certFile === '' && lines.length === 0) throw new Error(t('generate.noCertificate'));
    edit(path, await call(getCertHash, { body: certFile === '' ? { certContent: lines.join('\n') } : { certFile } }));
  };
  return (
    <ListAt
      path={path}
      name="pins"
      hint="pins"
      action={<GenerateButton run={read}>{t('generate.fromCertificate')}</GenerateButton>}
    />
  );
}

function Certificates() {
  const { t } = useTranslation('inboundEditor');
  const call = useCall();
  const { edit, current } = useEditing();
  const [isMissing, setMissing] = useState(false);
  const useOwn = async (): Promise<void> => {
    const nodeId = readAt(current(), 'nodeId');
    // Paths are those of the machine that runs the inbound.
    const { webCertFile, webKeyFile } =
      typeof nodeId === 'number' && nodeId > 0
        ? await call(nodeWebCert, { params: { id: String(nodeId) } })
        : await call(getWebCertFiles, {});
    setMissing(webCertFile === '');
    if (webCertFile === '') return;
    const stored = readAt(current(), `${AT}.certificates`);
    const entry = { certificateFile: webCertFile, keyFile: webKeyFile };
    edit(`${AT}.certificates`, [...(Array.isArray(stored) ? stored : []), entry]);
  };
  return (
    <>
      <RowsAt
        path={`${AT}.certificates`}
        name="certificates"
        fresh={() => ({ certificateFile: '', keyFile: '' })}
        action={<GenerateButton run={useOwn}>{t('generate.webCertificate')}</GenerateButton>}
      >
        {(path) => <CertificateFields path={path} />}
      </RowsAt>
      {isMissing && <Alert color="yellow">{t('generate.noWebCertificate')}</Alert>}
    </>
  );
}

function EncryptedHello() {
  const { t } = useTranslation('inboundEditor');
  const call = useCall();
  const { editMany, current } = useEditing();
  const make = async (): Promise<void> => {
    const made = await call(getNewEchCert, { body: { sni: textAt(current(), `${AT}.serverName`) } });
    editMany({
      [`${AT}.echServerKeys`]: made.echServerKeys[0] ?? '',
      [`${AT}.settings.echConfigList`]: made.echConfigList,
    });
  };
  return (
    <FieldsGrid>
      <TextAt
        path={`${AT}.echServerKeys`}
        name="echServerKeys"
        hint="echServerKeys"
        isAbsentWhenEmpty
        action={<GenerateButton run={make}>{t('generate.pair')}</GenerateButton>}
      />
      <TextAt path={`${AT}.settings.echConfigList`} name="echConfigList" isAbsentWhenEmpty />
    </FieldsGrid>
  );
}
