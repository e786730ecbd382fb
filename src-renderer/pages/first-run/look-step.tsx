import { Radio, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../i18n/i18n.ts';
import { LANGUAGE_CODES, SCHEMES, useLook } from './use-look.ts';

/** Language and theme of this browser. */
export function LookStep() {
  const { t } = useTranslation(['firstRun', 'shell']);
  const { language, setLanguage, scheme, setScheme } = useLook();
  return (
    <Stack>
      <Text size="sm">{t('look.text')}</Text>
      <Radio.Group label={t('shell:language')} value={language} onChange={setLanguage}>
        <Stack gap="xs" mt="xs">
          {LANGUAGE_CODES.map((code) => (
            <Radio key={code} value={code} label={<span lang={code}>{LANGUAGES[code].name}</span>} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label={t('shell:theme.label')} value={scheme} onChange={(chosen) => setScheme(chosen)}>
        <Stack gap="xs" mt="xs">
          {SCHEMES.map((each) => (
            <Radio key={each} value={each} label={t(`shell:theme.${each}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </Stack>
  );
}
