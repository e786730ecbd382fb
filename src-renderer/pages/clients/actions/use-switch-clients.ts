import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkDisableClients, bulkEnableClients } from '#contract/clients/bulk';
import type { SessionChoice } from '#contract/traffic';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { useShowResult } from './use-show-result.ts';

const ROOTS = [keys.clients, keys.groups];
const REMEMBER = { remember: '1' };

interface SwitchClients {
  enable: (emails: readonly string[]) => void;
  /** `onDone` is told once it was done. */
  disable: (emails: readonly string[], sessions: SessionChoice, onDone: () => void) => void;
  isBusy: boolean;
  /** Why the last disabling was refused. */
  error: Error | null;
}

/** Enables and disables clients, and offers to take that back. */
export function useSwitchClients(): SwitchClients {
  const { t } = useTranslation('clientActions');
  const on = useChange(bulkEnableClients, ROOTS);
  const off = useChange(bulkDisableClients, ROOTS);
  const show = useShowResult();
  const { mutate: turnOn, mutateAsync: backOn } = on;
  const { mutate: turnOff, mutateAsync: backOff } = off;
  const enable = useCallback(
    (emails: readonly string[]) =>
      turnOn(
        { query: REMEMBER, body: { emails: [...emails] } },
        {
          onSuccess: ({ changed, skipped, turned = [] }) => {
            const undo = () => backOff({ query: { sessions: 'cut' }, body: { emails: turned } });
            show(t('enabled', { count: changed }), {
              done: changed,
              skipped,
              undo: turned.length === 0 ? undefined : undo,
            });
          },
          onError: announceFailure,
        },
      ),
    [turnOn, backOff, show, t],
  );
  const disable = (emails: readonly string[], sessions: SessionChoice, onDone: () => void): void =>
    turnOff(
      { query: { sessions, ...REMEMBER }, body: { emails: [...emails] } },
      {
        onSuccess: ({ changed, skipped, sessionReport, turned = [] }) => {
          const undo = () => backOn({ query: {}, body: { emails: turned } });
          show(t('disabled', { count: changed }), {
            done: changed,
            skipped,
            emails,
            report: sessionReport,
            undo: turned.length === 0 ? undefined : undo,
          });
          onDone();
        },
      },
    );
  return { enable, disable, isBusy: on.isPending || off.isPending, error: off.error };
}
