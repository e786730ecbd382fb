import { modals } from '@mantine/modals';
import { createElement } from 'react';
import { getI18n } from 'react-i18next';
import { laterTextsLoaded } from '../../i18n/i18n.ts';
import { announceUndo } from './announce-undo.tsx';
import { announceNotLoaded } from '../notices/later.tsx';
import type { Tell } from './undo-confirmation.tsx';

/** Reports a change, and offers a preview of its undo. @param entryIds of the journal, oldest first */
export function offerUndo(message: string, entryIds: readonly number[], tell: Tell): void {
  announceUndo(message, () => void confirmUndo(entryIds, tell));
}

/** Previews the undo of changes, with a button to do it. */
export async function confirmUndo(entryIds: readonly number[], tell: Tell): Promise<void> {
  const parts = await Promise.all([import('./undo-confirmation.tsx'), laterTextsLoaded()]).catch(() => null);
  if (parts === null) {
    announceNotLoaded();
    return;
  }
  const [{ UndoConfirmation }] = parts;
  const { t } = getI18n();
  const id = modals.open({
    title: t('journal:undo.title'),
    children: createElement(UndoConfirmation, { entryIds, tell, onClose: () => modals.close(id) }),
  });
}
