import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DialogFooter } from './dialog-footer.tsx';
import { SaveWaits, useSaveWaits } from '../notices/save-waits.tsx';

interface SaveFooterProps {
  isSaving: boolean;
  /** Saved on this device, so the panel need not answer. */
  isLocal?: boolean;
  onCancel: () => void;
}

/** The buttons of a form in a dialog: cancel, and save by submitting. */
export function SaveFooter({ isSaving, isLocal = false, onCancel }: SaveFooterProps) {
  const { t } = useTranslation('shell');
  const isWaiting = useSaveWaits() && !isLocal;
  return (
    <DialogFooter note={isWaiting && <SaveWaits />} onCancel={onCancel}>
      <Button type="submit" loading={isSaving} disabled={isWaiting}>
        {t('save')}
      </Button>
    </DialogFooter>
  );
}
