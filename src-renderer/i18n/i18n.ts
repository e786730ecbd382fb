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

/** Words of refusals, for which the server's English stands in, and of large pages, which wait for them. */
const LATER: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('./en/later/index.ts'),
  fa: () => import('./fa/later/index.ts'),
  ru: () => import('./ru/later/index.ts'),
  zh: () => import('./zh/later/index.ts'),
};
/** When they are fetched unasked: after everything that the first page needs for itself. */
const LATER_AFTER_MS = 10_000;
let later: Promise<void> | null = null;
/** The language on show; null before the first. */
let shown: Language | null = null;
/** The one chosen last. */
let wanted: Language | null = null;
/** Pages are fetched beside the first texts, so one may ask for the later words before any language is shown. */
let tellShown: () => void;
const firstShown = new Promise<void>((resolve) => (tellShown = resolve));

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

/**
 * Loads the texts of a language and shows them, mirrored where it runs right to left. @returns whether it did: not when
 * another one was chosen meanwhile
 */
export async function showLanguage(language: Language): Promise<boolean> {
  const isFirst = shown === null;
  wanted = language;
  await addTexts(language, LOADERS[language]);
  // A page that needs the later words may be open; the very first one does not wait for them.
  if (!isFirst) await addTexts(language, LATER[language]);
  if (wanted !== language) return false;
  await texts.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  shown = language;
  later = isFirst ? null : Promise.resolve();
  tellShown();
  if (isFirst) setTimeout(() => void refusalTextsLoaded(), LATER_AFTER_MS);
  return true;
}

/** Resolves when the words that follow the first page are there. @throws {Error} when they cannot be fetched */
export async function laterTextsLoaded(): Promise<void> {
  await firstShown;
  later ??= addTexts(shown!, LATER[shown!]).catch((error: unknown) => {
    // The next page that needs them asks again.
    later = null;
    throw error;
  });
  await later;
}

/** The same for words that the server's English stands in for: resolves without them where they cannot be had. */
export async function refusalTextsLoaded(): Promise<void> {
  if (shown !== null) await laterTextsLoaded().catch(() => undefined);
}

async function addTexts(language: Language, load: () => Promise<{ default: Texts }>): Promise<void> {
  const { default: bundles } = await load();
  const isRightToLeft = LANGUAGES[language].direction === 'rtl';
  for (const [namespace, bundle] of Object.entries(bundles))
    texts.addResourceBundle(language, namespace, isRightToLeft ? withValuesApart(bundle) : bundle);
}

/**
 * Every `{name}` between marks: an address or an amount keeps its own direction and does not turn the sentence around it.
 * Quoted braces are no placeholders.
 */
const withValuesApart = (bundle: unknown): unknown =>
  JSON.parse(JSON.stringify(bundle).replaceAll(/(?<!'|'\{)\{(\w+)\}/g, '\u2068{$1}\u2069'));

/** What was copied from such a text and pasted, without the marks. */
export const withoutMarks = (typed: string): string => typed.replaceAll(/[\u2066-\u2069]/g, '');
