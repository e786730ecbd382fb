import { Radio, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLanguage, LANGUAGES, showLanguage, type Language } from '../../i18n/i18n.ts';
import { storeLanguage } from '../../stores/preferences.ts';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Language and theme of this browser. */
export function LookStep() {
  const { t, i18n } = useTranslation(['firstRun', 'shell']);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The texts of a language are loaded first; the choice shows at once.
  const [chosen, choose] = useState(i18n.language);
  const handleLanguage = (language: string): void => {
    if (!isLanguage(language)) return;
    choose(language);
    storeLanguage(language);
    void showLanguage(language);
  };
  return (
    <Stack>
      <Text size="sm">{t('look.text')}</Text>
      <Radio.Group label={t('shell:language')} value={chosen} onChange={handleLanguage}>
        <Stack gap="xs" mt="xs">
          {(Object.keys(LANGUAGES) as Language[]).map((language) => (
            <Radio key={language} value={language} label={LANGUAGES[language].name} lang={language} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label={t('shell:theme.label')} value={colorScheme} onChange={(scheme) => setColorScheme(scheme)}>
        <Stack gap="xs" mt="xs">
          {SCHEMES.map((scheme) => (
            <Radio key={scheme} value={scheme} label={t(`shell:theme.${scheme}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </Stack>
  );
}
