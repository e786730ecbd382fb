import { Button, List, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { useHoldDraft } from '../model/draft.ts';
import type { Reference } from '../model/references.ts';

interface DeleteDialogProps {
  name: string;
  references: readonly Reference[];
  /** Tags that can replace it where it is referenced. */
  replacements: readonly string[];
  /** @param replacement null removes the references */
  onDelete: (replacement: string | null) => void;
  onClose: () => void;
}

/** Lists the references before deletion, and lets another take its place in them. */
export function DeleteDialog({ name, references, replacements, onDelete, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('core');
  const [replacement, setReplacement] = useState<string | null>(null);
  useHoldDraft();
  const handleDelete = (): void => {
    onDelete(replacement);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('delete.title', { name })}>
      <Stack>
        {references.length === 0 ? (
          <Text size="sm">{t('delete.free')}</Text>
        ) : (
          <>
            <Text size="sm">{t('delete.named', { count: references.length })}</Text>
            <List size="sm">
              {references.map(({ kind, name: where }) => (
                <List.Item key={`${kind} ${where}`}>
                  {t(`reference.${kind}`)} <bdi>{where}</bdi>
                </List.Item>
              ))}
            </List>
            <Select
              label={t('delete.replacement')}
              description={t('delete.replacementHint')}
              placeholder={t('delete.nobody')}
              data={[...replacements]}
              value={replacement}
              onChange={setReplacement}
              clearable
              searchable
            />
          </>
        )}
        <DialogFooter onCancel={onClose}>
          <Button color="red.9" onClick={handleDelete}>
            {t('delete.action', { name })}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
