import { Group, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../i18n/i18n.ts';
import { LANGUAGE_CODES, SCHEMES, useLook } from '../first-run/use-look.ts';

/** Language and theme, the first question. */
export function WelcomeLook() {
  const { t } = useTranslation(['desktop', 'shell']);
  const { language, setLanguage, scheme, setScheme } = useLook();
  return (
    <Group component="section" aria-label={t('welcome.look')} grow mb="lg">
      <Select
        label={t('shell:language')}
        value={language}
        allowDeselect={false}
        data={LANGUAGE_CODES.map((value) => ({ value, label: LANGUAGES[value].name }))}
        onChange={(chosen) => setLanguage(chosen ?? language)}
      />
      <Select
        label={t('shell:theme.label')}
        value={scheme}
        allowDeselect={false}
        data={SCHEMES.map((value) => ({ value, label: t(`shell:theme.${value}`) }))}
        onChange={(chosen) => setScheme(chosen ?? scheme)}
      />
    </Group>
  );
}
