import { createInstance, type i18n } from 'i18next';
import ICU from 'i18next-icu';
import { initReactI18next } from 'react-i18next';

/** Languages of the interface with their own names, and how they run. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr' },
  fa: { name: 'فارسی', direction: 'rtl' },
  ru: { name: 'Русский', direction: 'ltr' },
  zh: { name: '简体中文', direction: 'ltr' },
} as const;
export type Language = keyof typeof LANGUAGES;

type Texts = Record<string, unknown>;
const LOADERS: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('./en/index.ts'),
  fa: () => import('./fa/index.ts'),
  ru: () => import('./ru/index.ts'),
  zh: () => import('./zh/index.ts'),
};

/** Loaded behind the first page; until then, and where it cannot be loaded, the server's English is shown. */
const REFUSALS: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('./en/refusals.json'),
  fa: () => import('./fa/refusals.json'),
  ru: () => import('./ru/refusals.json'),
  zh: () => import('./zh/refusals.json'),
};
let refusals: Promise<void> = Promise.resolve();

export function isLanguage(tag: string): tag is Language {
  return tag in LANGUAGES;
}

/** The stored choice, else the first language of the browser that has texts, else English. */
export function preferredLanguage(stored: string | null, wanted: readonly string[]): Language {
  const tags = [stored ?? '', ...wanted].map((tag) => tag.split('-')[0] ?? '');
  return tags.find(isLanguage) ?? 'en';
}

const texts = createInstance();

/** Starts the texts in one language; others are loaded when chosen. `isPseudo`: all of them longer and in brackets. */
export async function startTexts(language: Language, isPseudo: boolean): Promise<i18n> {
  const postProcess: string[] = [];
  if (isPseudo) {
    const { pseudoWords } = await import('./pseudo-words.ts');
    texts.use(pseudoWords);
    postProcess.push(pseudoWords.name);
  }
  await texts
    .use(ICU)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: [],
      interpolation: { escapeValue: false },
      resources: {},
      postProcess,
    });
  await showLanguage(language);
  return texts;
}

/** Loads the texts of a language and shows them, mirrored where it runs right to left. */
export async function showLanguage(language: Language): Promise<void> {
  const { default: bundles } = await LOADERS[language]();
  for (const [namespace, bundle] of Object.entries(bundles)) texts.addResourceBundle(language, namespace, bundle);
  await texts.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  refusals = REFUSALS[language]().then(
    ({ default: bundle }) => void texts.addResourceBundle(language, 'refusals', bundle),
    () => undefined,
  );
}

/** Resolves when the words of refusals in the language on show are there, or cannot be had. */
export function refusalsLoaded(): Promise<void> {
  return refusals;
}
