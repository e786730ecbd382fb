import { useCallback } from 'react';
import { useAddressParams } from './use-address-params.ts';

interface DialogParam {
  /** What is open, null = nothing. */
  value: string | null;
  open: (value: string) => void;
  close: () => void;
}

/** An open dialog or drawer is kept in the URL, so that back closes it, and reload and a shared link open it. */
export function useDialogParam(name: string): DialogParam {
  const [params, setParams] = useAddressParams();
  const set = useCallback(
    (value: string | null) =>
      setParams(
        // A dialog that is open without a subject has an empty text.
        (now) => {
          if (value === null) now.delete(name);
          else now.set(name, value);
          return now;
        },
        // As a transition it would wait behind every live figure on a busy machine, its leave guard still in place.
        value === null ? { flushSync: true } : {},
      ),
    [name, setParams],
  );
  return { value: params.get(name), open: set, close: useCallback(() => set(null), [set]) };
}
