import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/transport-context.tsx';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { saveFile } from '../../../ui/files/save-file.ts';
import { readAddress, type ListAddress } from '../filters/list-address.ts';
import { clientsCsv, readRows } from './clients-csv.ts';

/** Saves what the list shows, on all its pages, or the clients named, as a file. */
export function useClientsCsv(address: ListAddress) {
  const { t } = useTranslation('views');
  const call = useCall();
  /** How many of how many were read; null = nothing is under way. */
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const save = async (emails: readonly string[] | null): Promise<void> => {
    setProgress({ done: 0, of: 0 });
    const names = emails === null ? null : new Set(emails);
    const tell = (done: number, of: number): void => setProgress({ done, of });
    try {
      let rows = await readRows(call, address, names, tell);
      // Some were selected under another filter.
      if (names !== null && rows.length < names.size)
        rows = await readRows(call, readAddress(new URLSearchParams()), names, tell);
      saveFile('clients.csv', clientsCsv(rows), 'text/csv');
      announceDone(t('csvDone', { count: rows.length }));
    } catch (error) {
      announceFailure(error as Error);
    } finally {
      setProgress(null);
    }
  };
  return { progress, save: (emails: readonly string[] | null) => void save(emails) };
}
