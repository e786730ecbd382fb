import { SegmentedControl, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { objectAt } from '../../../../forms/draft/json.ts';
import { CertificateChoice } from '../../../settings/certificates/certificate-choice.tsx';
import { placed, useDraftState, useEditing, useIssueAt, useValueAt } from '../parts/draft-context.tsx';
import { ChoiceAt, SwitchAt, TextAt, type FieldName } from '../parts/fields.tsx';

/** A certificate with its key: as files on the machine, or as text. */
export function CertificateFields({ path }: { path: string }) {
  const { t } = useTranslation('inboundEditor');
  const { edit, current } = useEditing();
  const isText = useDraftState(({ draft }) => 'certificate' in objectAt(draft, path));
  const change = (source: string): void => {
    const { certificate: _c, key: _k, certificateFile: _cf, keyFile: _kf, ...rest } = objectAt(current(), path);
    const own: JsonObject = source === 'text' ? { certificate: [], key: [] } : { certificateFile: '', keyFile: '' };
    edit(path, { ...own, ...rest });
  };
  return (
    <>
      <SegmentedControl
        aria-label={t('field.certificateSource')}
        data={[
          { value: 'file', label: t('certificate.file') },
          { value: 'text', label: t('certificate.text') },
        ]}
        value={isText ? 'text' : 'file'}
        onChange={change}
      />
      <ChoiceAt
        path={`${path}.usage`}
        name="certificateUsage"
        options={['encipherment', 'verify', 'issue']}
        emptyLabel="encipherment"
      />
      {isText ? (
        <>
          <LinesAt path={`${path}.certificate`} name="certificateText" />
          <LinesAt path={`${path}.key`} name="keyText" />
        </>
      ) : (
        <>
          <KeptCertificate path={path} />
          <TextAt path={`${path}.certificateFile`} name="certificateFile" />
          <TextAt path={`${path}.keyFile`} name="keyFile" />
        </>
      )}
      <SwitchAt path={`${path}.oneTimeLoading`} name="oneTimeLoading" />
    </>
  );
}

/** One of the panel's certificates fills both paths; a node has other files. */
function KeptCertificate({ path }: { path: string }) {
  const { edit, current } = useEditing();
  const isElsewhere = useDraftState(({ draft }) => Number(draft['nodeId'] ?? 0) > 0);
  const certificateFile = useValueAt(`${path}.certificateFile`);
  const keyFile = useValueAt(`${path}.keyFile`);
  if (isElsewhere) return null;
  return (
    <CertificateChoice
      certificateFile={textOf(certificateFile)}
      keyFile={textOf(keyFile)}
      onChoose={(file) => edit(path, { ...objectAt(current(), path), certificateFile: file, keyFile: file })}
    />
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Lines of PEM, stored as an array of lines. */
function LinesAt({ path, name }: { path: string; name: FieldName }) {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const stored = useValueAt(path);
  const issue = useIssueAt(path);
  return (
    <Textarea
      label={t(`field.${name}`)}
      wrapperProps={placed(path)}
      dir="ltr"
      rows={5}
      spellCheck={false}
      error={issue}
      value={Array.isArray(stored) ? stored.filter((line) => typeof line === 'string').join('\n') : ''}
      onChange={(event) => edit(path, event.currentTarget.value.split('\n'))}
    />
  );
}
