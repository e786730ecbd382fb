import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { csvText, type CsvRow } from './csv.ts';
import { announceDone, announceFailure } from '../notices/announce.ts';
import { saveFile } from '../files/save-file.ts';

interface CsvButtonProps {
  /** Name of the file, without extension. */
  name: string;
  /** The header and the rows; called on click. */
  table: () => readonly CsvRow[] | Promise<readonly CsvRow[]>;
  isDisabled?: boolean;
  /** Exports only the selection. */
  isSelection?: boolean;
}

/** Saves a list, or the selected rows, as a file for spreadsheets. */
export function CsvButton({ name, table, isDisabled = false, isSelection = false }: CsvButtonProps) {
  const { t } = useTranslation('views');
  const [isReading, setReading] = useState(false);
  const handleSave = async (): Promise<void> => {
    setReading(true);
    try {
      const rows = await table();
      saveFile(`${name}.csv`, csvText(rows), 'text/csv');
      announceDone(t('csvDone', { count: rows.length - 1 }));
    } catch (error) {
      announceFailure(error as Error);
    } finally {
      setReading(false);
    }
  };
  return (
    <Button
      variant="default"
      size={isSelection ? 'xs' : 'sm'}
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isReading}
      disabled={isDisabled}
      onClick={() => void handleSave()}
    >
      {isSelection ? t('csvSelection') : t('csvList')}
    </Button>
  );
}
