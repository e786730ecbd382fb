import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { getI18n, useTranslation } from 'react-i18next';
import { isLanguage, LANGUAGES, type Language } from '../../i18n/i18n.ts';
import { chooseLanguage } from '../../ui/choose-language.ts';

export const SCHEMES: readonly MantineColorScheme[] = ['auto', 'light', 'dark'];
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

/** Language and theme of this browser, with functions to change them. */
export function useLook() {
  const { i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The choice shows at once; the language follows when its texts are loaded.
  const [language, choose] = useState(i18n.language);
  const setLanguage = (chosen: string): void => {
    if (!isLanguage(chosen)) return;
    choose(chosen);
    // The hook's own object has the language of its rendering.
    void chooseLanguage(chosen).then(() => choose(getI18n().language));
  };
  return { language, setLanguage, scheme: colorScheme, setScheme: setColorScheme };
}
