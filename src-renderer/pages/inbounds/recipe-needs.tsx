import { Alert, Switch, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { getWebCertFiles } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { TargetScan } from './editor/security/target-scan.tsx';
import { traitsOf, type RecipeForm } from './recipes.ts';

interface NeedsProps {
  form: RecipeForm;
  onChange: (part: Partial<RecipeForm>) => void;
}

/** What a recipe asks for besides name and port. */
export function RecipeNeeds({ form, onChange }: NeedsProps) {
  const { t } = useTranslation('recipes');
  const { need } = traitsOf(form.recipe);
  if (need === 'certificate') return <CertificateFiles form={form} onChange={onChange} />;
  if (need === 'domain')
    return (
      <TextInput
        label={t('domain')}
        description={t('domainHint')}
        dir="ltr"
        value={form.domain}
        maxLength={253}
        onChange={(event) => onChange({ domain: event.currentTarget.value.trim() })}
      />
    );
  if (need === null) return null;
  return (
    <>
      <TextInput
        label={t('target')}
        description={t('targetHint')}
        dir="ltr"
        required
        value={form.target}
        onChange={(event) => onChange({ target: event.currentTarget.value.trim() })}
      />
      <TargetScan onUse={({ target }) => onChange({ target })} />
      <Switch
        label={t('otherEngines')}
        description={t('otherEnginesHint')}
        checked={form.admitsOtherEngines}
        onChange={(event) => onChange({ admitsOtherEngines: event.currentTarget.checked })}
      />
    </>
  );
}

/** Preset to the panel's own certificate, if it has one. */
function CertificateFiles({ form: { certFile, keyFile }, onChange }: NeedsProps) {
  const { t } = useTranslation('recipes');
  const own = useRead(getWebCertFiles, {}, [...keys.settings, 'webCertificate']).data;
  const isBlank = certFile === '' && keyFile === '';
  useEffect(() => {
    if (own === undefined || own.webCertFile === '' || !isBlank) return;
    onChange({ certFile: own.webCertFile, keyFile: own.webKeyFile });
    // Once, when they are known: a field emptied by hand stays empty.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [own]);
  return (
    <>
      {own?.webCertFile === '' && <Alert color="yellow">{t('noCertificate')}</Alert>}
      <TextInput
        label={t('certFile')}
        dir="ltr"
        required
        value={certFile}
        onChange={(event) => onChange({ certFile: event.currentTarget.value })}
      />
      <TextInput
        label={t('keyFile')}
        dir="ltr"
        required
        value={keyFile}
        onChange={(event) => onChange({ keyFile: event.currentTarget.value })}
      />
    </>
  );
}
