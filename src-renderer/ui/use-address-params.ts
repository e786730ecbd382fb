import { createContext, use, useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';

/** The query of the address as it stands now; null where no router of a browser does. */
export const CurrentQueryContext = createContext<(() => string) | null>(null);

type Change = (before: URLSearchParams) => URLSearchParams | Record<string, string>;

/**
 * As `useSearchParams`, whose changes begin with what the page last rendered: one that comes while it still renders the
 * one before would take that back.
 */
export function useAddressParams(): [URLSearchParams, (change: Change, options?: NavigateOptions) => void] {
  const [rendered, setParams] = useSearchParams();
  const current = use(CurrentQueryContext);
  const change = useCallback(
    (to: Change, options?: NavigateOptions) =>
      setParams((before) => to(current === null ? before : new URLSearchParams(current())), options),
    [setParams, current],
  );
  return [rendered, change];
}
