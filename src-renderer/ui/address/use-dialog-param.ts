import { useCallback } from 'react';
import { useAddressParams } from './use-address-params.ts';

interface DialogParam {
  /** What is open, null = nothing. */
  value: string | null;
  open: (value: string) => void;
  close: () => void;
}

/** An open dialog or drawer lives in the URL, so that back closes it, and reload and a shared link open it. */
export function useDialogParam(name: string): DialogParam {
  const [params, setParams] = useAddressParams();
  const set = useCallback(
    (value: string | null) =>
      setParams(
        // One that is open on nothing yet has an empty text.
        (now) => {
          if (value === null) now.delete(name);
          else now.set(name, value);
          return now;
        },
        // As a transition it would wait behind every live figure on a busy machine, its guard against leaving still there.
        value === null ? { flushSync: true } : {},
      ),
    [name, setParams],
  );
  return { value: params.get(name), open: set, close: useCallback(() => set(null), [set]) };
}
