import { showLanguage, type Language } from '../i18n/i18n.ts';
import { storeLanguage } from '../stores/preferences.ts';
import { announceNotLoaded } from './notices/later.tsx';

/** Shows the interface in a language from now on. Where its words cannot be had, the present one stays, and that is said. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    if (await showLanguage(language)) storeLanguage(language);
  } catch {
    announceNotLoaded();
  }
}
