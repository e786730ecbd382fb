import { useEffect, useRef } from 'react';

/**
 * For a field that shows what was typed while its value follows later, as an address does when its page has rendered.
 * @param onOutside gets a value that was set elsewhere
 * @returns to be called with each value that the field itself gives on
 */
export function useOutsideChange<T>(value: T, onOutside: (value: T) => void): (own: T) => void {
  const given = useRef<readonly T[]>([]);
  useEffect(() => {
    // More may have been typed already when an earlier one comes back.
    const at = given.current.lastIndexOf(value);
    if (at === -1) onOutside(value);
    given.current = at === -1 ? [] : given.current.slice(at + 1);
    // Only another value is a change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [value]);
  return (own) => {
    given.current = [...given.current, own];
  };
}
