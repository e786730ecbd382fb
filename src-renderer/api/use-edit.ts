import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Edits what a query shows, and stores it. Each edit builds on the one before, even if the page does not show that one
 * yet, and no earlier read undoes it. The query is read again once everything is stored or refused.
 * @param save must not reject: it reports a failure itself
 */
export function useEdit<T>(queryKey: QueryKey, save: (after: T) => Promise<void>): (edit: (before: T) => T) => void {
  const cache = useQueryClient();
  const running = useRef(0);
  return (edit) => {
    running.current += 1;
    void (async () => {
      await cache.cancelQueries({ queryKey });
      const before = cache.getQueryData<T>(queryKey);
      if (before !== undefined) await save(cache.setQueryData<T>(queryKey, edit(before))!);
      running.current -= 1;
      if (running.current === 0) await cache.invalidateQueries({ queryKey });
    })();
  };
}
