import { useEffect } from 'react';

/** A closed or reloaded tab asks, in the browser's own words, while something typed would be lost. */
export function useUnloadGuard(isGuarded: boolean): void {
  useEffect(() => {
    if (!isGuarded) return undefined;
    const handleUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', handleUnload);
    return () => removeEventListener('beforeunload', handleUnload);
  }, [isGuarded]);
}
