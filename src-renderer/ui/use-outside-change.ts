import { useEffect, useRef } from 'react';

/**
 * For a field that shows typed text while its value follows later, as an address does after its page has rendered.
 * @param onOutside called with a value that was set elsewhere
 * @returns call it with each value that the field itself reports
 */
export function useOutsideChange<T>(value: T, onOutside: (value: T) => void): (own: T) => void {
  const given = useRef<readonly T[]>([]);
  useEffect(() => {
    // More may have been typed by the time an earlier value comes back.
    const at = given.current.lastIndexOf(value);
    if (at === -1) onOutside(value);
    given.current = at === -1 ? [] : given.current.slice(at + 1);
    // Only a new value is a change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [value]);
  return (own) => {
    given.current = [...given.current, own];
  };
}
