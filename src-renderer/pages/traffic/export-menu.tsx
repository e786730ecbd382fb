import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrafficHistory } from '#contract/traffic';
import { announceFailure } from '../../ui/notices/announce.ts';
import { saveFile } from '../../ui/files/save-file.ts';
import { pngOf, svgText } from '../../ui/stacked-bars/chart-picture.ts';
import { historyCsv } from './history-csv.ts';

interface ExportMenuProps {
  history: TrafficHistory;
  title: string;
  nameOf: (at: number) => string;
  drawing: RefObject<SVGSVGElement | null>;
}

/** Exports the shown traffic: as figures, or as a picture of the bars. */
export function ExportMenu({ history, title, nameOf, drawing }: ExportMenuProps) {
  const { t } = useTranslation('traffic');
  const name = `traffic-${new Date(history.from).toISOString().slice(0, 10)}`;
  const savePng = async (): Promise<void> => {
    try {
      if (drawing.current !== null) saveFile(`${name}.png`, await pngOf(drawing.current, title), 'image/png');
    } catch (error) {
      announceFailure(error as Error);
    }
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {t('export.menu')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => saveFile(`${name}.csv`, historyCsv(history, nameOf), 'text/csv')}>
          {t('export.csv')}
        </Menu.Item>
        <Menu.Item onClick={() => void savePng()}>{t('export.png')}</Menu.Item>
        <Menu.Item
          onClick={() =>
            drawing.current !== null && saveFile(`${name}.svg`, svgText(drawing.current, title), 'image/svg+xml')
          }
        >
          {t('export.svg')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
