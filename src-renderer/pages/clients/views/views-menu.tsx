import { ActionIcon, Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../ui/notices/failure.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import type { ListAddress } from '../filters/list-address.ts';
import { useColumns } from '../list/columns/column-store.ts';
import { useSavedViews } from './use-saved-views.ts';
import { changeTo } from './view-query.ts';

interface ViewsMenuProps {
  address: ListAddress;
  onChange: (part: Partial<ListAddress>) => void;
}

/** The admin's own views of the list: filters, order, columns and density under a name, on every device. */
export function ViewsMenu({ address, onChange }: ViewsMenuProps) {
  const { t } = useTranslation('views');
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const { views, isSaving, save, remove } = useSavedViews(isOpen);
  const handleSave = (event: FormEvent): void => {
    event.preventDefault();
    save(name, address, () => setName(''));
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      withinPortal
      trapFocus
      returnFocus
      shadow="md"
      width={300}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={() => setOpen((before) => !before)}
        >
          {t('title')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('title')}>
        <Stack gap="xs">
          <Failure error={views.error} />
          {views.data?.map((one) => (
            <Group key={one.name} gap="xs" justify="space-between" wrap="nowrap">
              <Button
                variant="subtle"
                size="compact-sm"
                fullWidth
                justify="start"
                onClick={() => {
                  useColumns.getState().take(one.view.columns);
                  onChange(changeTo(one.view.query));
                  setOpen(false);
                }}
              >
                <bdi>{one.name}</bdi>
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('delete', { name: one.name })}
                onClick={() => remove(one)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          {views.data?.length === 0 && <Hint>{t('none')}</Hint>}
          <form onSubmit={handleSave}>
            <Stack gap="xs">
              <TextInput
                label={t('name')}
                description={t('hint')}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
                maxLength={64}
                required
              />
              <Button type="submit" size="xs" loading={isSaving} disabled={name.trim() === ''}>
                {views.data?.some((one) => one.name === name.trim()) === true ? t('replace') : t('save')}
              </Button>
            </Stack>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
