import { ActionIcon, Button, Checkbox, Group, Popover, SegmentedControl, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColumnChoice } from './column-choice.ts';

interface ColumnPickerProps<C extends string> {
  choice: ColumnChoice<C>;
  nameOf: (id: C) => string;
  /** Another choice for a column. */
  renderMore?: (id: C) => ReactNode;
}

/** Chooses columns, their order and the density. */
export function ColumnPicker<C extends string>({ choice, nameOf, renderMore }: ColumnPickerProps<C>) {
  const { t } = useTranslation('clients');
  const { order, shown, density, toggle, move, setDensity, reset } = choice;
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
              <Checkbox label={nameOf(id)} checked={shown.includes(id)} onChange={() => toggle(id)} />
              <Group gap={2} wrap="nowrap">
                {renderMore?.(id)}
                <ActionIcon
                  variant="subtle"
                  aria-label={t('columns.earlier', { column: nameOf(id) })}
                  disabled={at === 0}
                  onClick={() => move(id, -1)}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('columns.later', { column: nameOf(id) })}
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
