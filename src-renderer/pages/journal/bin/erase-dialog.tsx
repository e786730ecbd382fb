import { Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { eraseFromBin, type BinItem } from '#contract/journal';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceDone } from '../../../ui/notices/announce.ts';
import { TypedAction } from '../../../ui/typed-action.tsx';
import { byKind } from './bin-items.ts';

interface EraseDialogProps {
  items: readonly BinItem[];
  onClose: () => void;
  onErased: () => void;
}

/** Erasing cannot be undone: the dialog asks to type the name, or the number of items. */
export function EraseDialog({ items, onClose, onErased }: EraseDialogProps) {
  const { t } = useTranslation('journal');
  const erase = useChange(eraseFromBin, [keys.journal]);
  const name = items.length === 1 ? items[0]!.name : String(items.length);

  async function handleErase(): Promise<void> {
    try {
      for (const [kind, ids] of byKind(items)) await erase.mutateAsync({ body: { kind, ids } });
    } catch {
      return;
    }
    announceDone(t('bin.erased', { count: items.length }));
    onErased();
  }

  return (
    <Modal opened onClose={onClose} title={t('bin.eraseMany', { count: items.length })}>
      <TypedAction
        name={name}
        label={t('bin.type', { name })}
        action={t('bin.erase')}
        failure={erase.error?.message ?? null}
        isBusy={erase.isPending}
        onAction={() => void handleErase()}
        onCancel={onClose}
      >
        <Text size="sm">{t('bin.eraseMeaning')}</Text>
      </TypedAction>
    </Modal>
  );
}
