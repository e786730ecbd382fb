import { createContext, use, useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';

/** The query of the address as it stands now; null where no router of a browser does. */
export const CurrentQueryContext = createContext<(() => string) | null>(null);

/** Parameters and their new values; nothing, or an empty text, takes one out. */
type Part = Readonly<Record<string, string | number | null | undefined>>;
type Change = Part | ((now: URLSearchParams) => URLSearchParams);

/**
 * As `useSearchParams`, whose changes begin with what the page last rendered: one that comes while it still renders the
 * one before would take that back.
 */
export function useAddressParams(): [URLSearchParams, (change: Change, options?: NavigateOptions) => void] {
  const [rendered, setParams] = useSearchParams();
  const current = use(CurrentQueryContext);
  const change = useCallback(
    (to: Change, options?: NavigateOptions) =>
      setParams((before) => {
        const now = current === null ? before : new URLSearchParams(current());
        if (typeof to === 'function') return to(now);
        for (const [name, value] of Object.entries(to)) {
          if (value === '' || value === null || value === undefined) now.delete(name);
          else now.set(name, String(value));
        }
        return now;
      }, options),
    [setParams, current],
  );
  return [rendered, change];
}
