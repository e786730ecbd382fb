import { ActionIcon, Button, Checkbox, Group, NumberInput, Popover, SegmentedControl, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useColumns, WIDTHS } from './column-store.ts';

/** Chooses columns, their order and how close the rows stand. */
export function ColumnMenu() {
  const { t } = useTranslation('clients');
  const { order, shown, density, widths, toggle, move, setWidth, setDensity, reset } = useColumns();
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} />}>
          {t('columns.title')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns.title')}>
        <Stack gap="xs">
          {order.map((id, at) => (
            <Group key={id} gap="xs" justify="space-between" wrap="nowrap">
              <Checkbox label={t(`column.${id}`)} checked={shown.includes(id)} onChange={() => toggle(id)} />
              <Group gap={2} wrap="nowrap">
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
                <ActionIcon
                  variant="subtle"
                  aria-label={t('columns.earlier', { column: t(`column.${id}`) })}
                  disabled={at === 0}
                  onClick={() => move(id, -1)}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('columns.later', { column: t(`column.${id}`) })}
                  disabled={at === order.length - 1}
                  onClick={() => move(id, 1)}
                >
                  <IconArrowDown size={16} />
                </ActionIcon>
              </Group>
            </Group>
          ))}
          <SegmentedControl
            aria-label={t('columns.density')}
            data={(['comfortable', 'compact'] as const).map((value) => ({ value, label: t(`columns.${value}`) }))}
            value={density}
            onChange={setDensity}
          />
          <Button variant="subtle" onClick={reset}>
            {t('columns.reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
