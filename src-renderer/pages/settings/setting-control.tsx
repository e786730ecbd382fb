import { Checkbox, PasswordInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '#contract/settings';
import { bytesOf } from '../../forms/byte-size.ts';
import { SizeField } from '../../forms/size-field.tsx';
import { issueAt } from '../../forms/draft/draft-store.ts';
import type settingsTexts from '../../i18n/en/settings.json';
import { LANGUAGES, type Language } from '../../i18n/i18n.ts';
import { CertificateChoice } from './certificates/certificate-choice.tsx';
import { PageColor, PagePicture } from './page-looks.tsx';
import { isSecretKey, LONG_TEXTS, OPTIONS, type RowKey } from './sections.ts';
import { setErased, setSetting, settingsDraft, useSettingsDraft, type ErasableKey } from './settings-draft.ts';
import { usePlacesCheck } from './use-places-check.ts';
import { NumberField } from '../../forms/number-field.tsx';

const GIB = bytesOf('GiB');

/** Technical values run left to right in every language. */
const FREE_TEXTS: ReadonlySet<RowKey> = new Set<RowKey>(['subTitle', 'subAnnounce', 'remarkTemplate', 'smtpFromName']);

/** The control of one setting, by type: a switch, a number, a choice, a text or a secret. */
export function SettingControl({ name, stored }: { name: RowKey; stored: SettingsView }) {
  const { t } = useTranslation('settings');
  const typed = useSettingsDraft((state) => state.changes[name]);
  const refused = settingsDraft(({ issues }) => issueAt(issues, name));
  const taken = usePlacesCheck(name);
  const value = typed ?? stored[name];
  const shared = {
    label: t(`field.${name}`),
    description: t(`hint.${name as keyof (typeof settingsTexts)['hint']}`, { defaultValue: '' }) || undefined,
    error: refused ?? taken,
  };
  const handleText = (next: string): void => setSetting(name, next, stored);

  if (typeof value === 'boolean')
    return (
      <Switch {...shared} checked={value} onChange={(event) => setSetting(name, event.currentTarget.checked, stored)} />
    );
  if (name === 'trafficDiff' || name === 'ldapDefaultTotalGB')
    return (
      <SizeField
        {...shared}
        unit="GiB"
        step="GiB"
        value={typeof value === 'number' ? value * GIB : typeof value === 'string' ? value : undefined}
        onChange={(size) => setSetting(name, typeof size === 'number' ? size / GIB : (size ?? 0), stored)}
        empty={0}
      />
    );
  if (typeof value === 'number')
    return (
      <NumberField
        {...shared}
        value={value}
        thousandSeparator=""
        empty={0}
        onChange={(next) => setSetting(name, next, stored)}
      />
    );
  if (name === 'datepicker' || name === 'smtpEncryptionType')
    return (
      <Select
        {...shared}
        value={value}
        allowDeselect={false}
        data={OPTIONS[name].map((option) => ({ value: option, label: t(`option.${option}`) }))}
        onChange={(next) => next !== null && handleText(next)}
      />
    );
  if (name === 'tgLang')
    return (
      <Select
        {...shared}
        value={OPTIONS.tgLang.find((tag) => tag.startsWith(value.slice(0, 2))) ?? null}
        allowDeselect={false}
        data={OPTIONS.tgLang.map((tag) => ({ value: tag, label: LANGUAGES[tag.slice(0, 2) as Language].name }))}
        onChange={(next) => next !== null && handleText(next)}
      />
    );
  if (name === 'subPageColor' || name === 'subPagePicture') {
    const Look = name === 'subPageColor' ? PageColor : PagePicture;
    return <Look label={shared.label} error={shared.error} value={value} onChange={handleText} />;
  }
  if (isSecretKey(name)) return <SecretControl name={name as ErasableKey} stored={stored} {...shared} />;
  const dir = FREE_TEXTS.has(name) ? 'auto' : 'ltr';
  return LONG_TEXTS.has(name) ? (
    <Textarea
      {...shared}
      dir={dir}
      autosize
      minRows={2}
      maxRows={12}
      value={value}
      onChange={(event) => handleText(event.currentTarget.value)}
    />
  ) : (
    <>
      {(name === 'webCertFile' || name === 'subCertFile') && <KeptCertificate name={name} stored={stored} />}
      <TextInput {...shared} dir={dir} value={value} onChange={(event) => handleText(event.currentTarget.value)} />
    </>
  );
}

const KEY_FILE = { webCertFile: 'webKeyFile', subCertFile: 'subKeyFile' } as const;

/** One of the panel's certificates fills both paths. */
function KeptCertificate({ name, stored }: { name: keyof typeof KEY_FILE; stored: SettingsView }) {
  const typed = useSettingsDraft((state) => state.changes);
  const key = KEY_FILE[name];
  return (
    <CertificateChoice
      certificateFile={String(typed[name] ?? stored[name])}
      keyFile={String(typed[key] ?? stored[key])}
      onChoose={(file) => {
        setSetting(name, file, stored);
        setSetting(key, file, stored);
      }}
    />
  );
}

const HAS = {
  tgBotToken: 'hasTgBotToken',
  tgBotBackupPassphrase: 'hasTgBotBackupPassphrase',
  smtpPassword: 'hasSmtpPassword',
  ldapPassword: 'hasLdapPassword',
} as const;

interface SecretControlProps {
  name: ErasableKey;
  stored: SettingsView;
  label: string;
  description?: string | undefined;
  error?: string | undefined;
}

/** A secret is write-only: the page knows only whether there is one. */
function SecretControl({ name, stored, ...shared }: SecretControlProps) {
  const { t } = useTranslation('settings');
  const typed = useSettingsDraft((state) => state.changes[name]);
  const isErased = useSettingsDraft((state) => state.erased.includes(name));
  const isSet = stored[HAS[name]];
  return (
    <Stack gap={6}>
      <PasswordInput
        {...shared}
        description={isSet ? t('secretSet') : t('secretNotSet')}
        autoComplete="new-password"
        dir="ltr"
        disabled={isErased}
        value={typeof typed === 'string' ? typed : ''}
        onChange={(event) => setSetting(name, event.currentTarget.value, stored)}
      />
      {isSet && (
        <Checkbox
          size="xs"
          label={t('secretErase')}
          checked={isErased}
          onChange={(event) => setErased(name, event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
