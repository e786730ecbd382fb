/** Text of a key in a language, `{name}` placeholders filled; the key itself when no text exists. */
export type Translate = (language: string, key: string, params?: Readonly<Record<string, string | number>>) => string;

export type Texts = Readonly<Record<string, string>>;

/** @param byLanguage texts per language; `en` is complete, the others fall back to it key by key. */
export function createTranslate(byLanguage: Readonly<Record<string, Texts>>): Translate {
  return (language, key, params = {}) => {
    const text = byLanguage[language]?.[key] ?? byLanguage['en']?.[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));
  };
}
