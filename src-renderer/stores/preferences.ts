import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface Preferences {
  isSidebarNarrow: boolean;
  toggleSidebar: () => void;
}

/** Preferences of the shell, kept in this browser. */
export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      isSidebarNarrow: false,
      toggleSidebar: () => set(({ isSidebarNarrow }) => ({ isSidebarNarrow: !isSidebarNarrow })),
    }),
    { name: 'panel.shell', version: 1 },
  ),
);

const LANGUAGE = 'panel.language';
const PSEUDO_WORDS = 'panel.pseudoWords';

/** The language chosen here, null before any choice. */
export function storedLanguage(): string | null {
  return localStorage.getItem(LANGUAGE);
}

/** Remembers the choice; the cookie passes it to the server's texts. */
export function storeLanguage(language: string): void {
  localStorage.setItem(LANGUAGE, language);
  document.cookie = `lang=${language}; path=/; max-age=31536000; samesite=lax`;
}

/** Whether this browser shows longer, bracketed texts, which reveal clipped and untranslated ones. */
export function wantsPseudoWords(): boolean {
  return localStorage.getItem(PSEUDO_WORDS) !== null;
}
