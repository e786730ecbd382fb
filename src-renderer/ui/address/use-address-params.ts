import { createContext, use, useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';

/** The address's current query; null without a browser router. */
export const CurrentQueryContext = createContext<(() => string) | null>(null);

/** Parameters and their new values; undefined, null or an empty text removes one. */
type Part = Readonly<Record<string, string | number | null | undefined>>;
type Change = Part | ((now: URLSearchParams) => URLSearchParams);

/**
 * Like `useSearchParams`, whose changes start from the last rendered query: a change made while the previous one still
 * renders would revert that one.
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
