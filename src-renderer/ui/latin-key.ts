import { useEffect, useRef } from 'react';

/** What a shortcut looks at of a key that was pressed. */
type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>;

/** The key by its Latin letter, also where the keyboard's layout writes another script: shortcuts are Latin letters. */
export function latinKey({ key, code, shiftKey }: Pressed): string {
  if (/^[\u0020-\u007E]+$/.test(key)) return key;
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}

/** Runs on Ctrl and a letter, or ⌘ and it, anywhere on the page. */
export function useCtrlKey(letter: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const isAlone = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isAlone || latinKey(event).toLowerCase() !== letter) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [letter]);
}
