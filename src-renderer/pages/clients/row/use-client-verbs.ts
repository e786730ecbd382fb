import { useTranslation } from 'react-i18next';
import { bulkAdjustClients } from '#contract/clients/bulk';
import { endSessions } from '#contract/traffic';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { serverNow } from '../../../stores/server-clock.ts';
import { copyText } from '../../../ui/copy/copy-text.ts';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { useActions } from '../actions/action-store.ts';
import { useShowResult } from '../actions/use-show-result.ts';
import { useSwitchClients } from '../actions/use-switch-clients.ts';
import { gibToBytes, useAmounts } from './amounts-store.ts';
import { daysToAdd } from './extension.ts';
import type { VerbClient } from './row-menu-store.ts';
import { useReadCodes } from './use-client-codes.ts';

/** Something that is added to a client at a press. */
export interface Addition {
  label: string;
  onClick: () => void;
}

/** What can be done with one client at a press. `onCode` opens its code. */
export function useClientVerbs({ email, enable, totalGB, expiryTime }: VerbClient, onCode: (email: string) => void) {
  const { t } = useTranslation('rowVerbs');
  const format = useFormat();
  const openDialog = useActions((state) => state.openDialog);
  const switching = useSwitchClients();
  const showResult = useShowResult();
  const readCodes = useReadCodes();
  const amounts = useAmounts();
  const adjust = useChange(bulkAdjustClients, [keys.clients, keys.groups]);
  const end = useChange(endSessions, [keys.clients]);

  const add = (label: string, addDays: number, addBytes: number): void =>
    adjust.mutate(
      { body: { emails: [email], addDays, addBytes, flow: '' } },
      {
        onSuccess: ({ adjusted, skipped }) =>
          showResult(t('added', { amount: label, email }), {
            done: adjusted,
            skipped,
            undo:
              adjusted === 0
                ? undefined
                : () =>
                    adjust.mutateAsync({
                      body: { emails: [email], addDays: -addDays, addBytes: -addBytes, flow: '' },
                    }),
          }),
        onError: announceFailure,
      },
    );

  const dayLabel = (days: number): string => t('addDays', { days });
  const sizeLabel = (gib: number): string => t('addTraffic', { size: format.bytes(gibToBytes(gib)) });
  const additions: Addition[] = [
    // What never ends has nothing to add to.
    ...(expiryTime === 0 ? [] : amounts.days).map((days) => ({
      label: dayLabel(days),
      onClick: () => add(dayLabel(days), daysToAdd(expiryTime, days, serverNow()), 0),
    })),
    ...(totalGB === 0 ? [] : amounts.gib).map((gib) => ({
      label: sizeLabel(gib),
      onClick: () => add(sizeLabel(gib), 0, gibToBytes(gib)),
    })),
  ];

  async function copyLink(): Promise<void> {
    try {
      const [code] = await readCodes(email);
      if (code !== undefined && (await copyText(code.text))) announceDone(t('copied', { name: code.name, email }));
      // Without a clipboard, or without any link: the dialog shows the text, or says why there is none.
      else onCode(email);
    } catch (error) {
      announceFailure(error as Error);
    }
  }

  const endOpen = (): void =>
    end.mutate(
      { body: { emails: [email], how: 'cut' } },
      {
        onSuccess: (report) =>
          showResult(t('ended', { count: report.connections, email }), {
            done: report.connections,
            skipped: [],
            emails: [email],
            report,
            undo: undefined,
          }),
        onError: announceFailure,
      },
    );

  return {
    showCode: () => onCode(email),
    copyLink: () => void copyLink(),
    toggle: () => (enable ? openDialog('disable', [email]) : switching.enable([email])),
    additions,
    adjust: () => openDialog('adjust', [email]),
    reset: () => openDialog('reset', [email]),
    endSessions: endOpen,
    remove: (onDone?: () => void) => openDialog('delete', [email], onDone),
    isBusy: adjust.isPending || end.isPending || switching.isBusy,
  };
}
