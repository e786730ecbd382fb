import { readFileSync } from 'node:fs';

/** Texts of the interface for refusals in a language, by domain and name of their codes. */
export function interfaceRefusals(language: string): Record<string, Record<string, string>> {
  const file = new URL(`../../src-renderer/i18n/${language}/later/shared/refusals.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { code: Record<string, Record<string, string>> }).code;
}
