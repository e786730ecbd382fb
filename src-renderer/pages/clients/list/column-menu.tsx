import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ColumnPicker } from '../../../ui/columns/column-picker.tsx';
import { useColumns, WIDTHS } from './column-store.ts';

/** Chooses columns of clients, their order, their widths and how close the rows stand. */
export function ColumnMenu() {
  const { t } = useTranslation('clients');
  const choice = useColumns();
  const { widths, setWidth } = choice;
  return (
    <ColumnPicker
      choice={choice}
      nameOf={(id) => t(`column.${id}`)}
      more={(id) => (
        <NumberInput
          aria-label={t('columns.width', { column: t(`column.${id}`) })}
          size="xs"
          w={72}
          step={20}
          min={WIDTHS.least}
          max={WIDTHS.most}
          value={widths[id] ?? ''}
          placeholder={t('columns.byContent')}
          onChange={(width) => setWidth(id, typeof width === 'number' ? width : null)}
        />
      )}
    />
  );
}
