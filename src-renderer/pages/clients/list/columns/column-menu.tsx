import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../../forms/number-field.tsx';
import { ColumnPicker } from '../../../../ui/columns/column-picker.tsx';
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
      renderMore={(id) => (
        <NumberField
          aria-label={t('columns.width', { column: t(`column.${id}`) })}
          size="xs"
          w={72}
          step={20}
          min={WIDTHS.least}
          max={WIDTHS.most}
          value={widths[id] ?? null}
          placeholder={t('columns.byContent')}
          empty={null}
          countsWhenLeft
          onChange={(width) => setWidth(id, width)}
        />
      )}
    />
  );
}
