import type { DndContextProps, UniqueIdentifier } from '@dnd-kit/core';
import { useTranslation } from 'react-i18next';

/** Screen-reader texts while a row is moved. @param placeOf position from 1 */
export function useDragWords(
  nameOf: (id: UniqueIdentifier) => string,
  placeOf: (id: UniqueIdentifier) => number,
): NonNullable<DndContextProps['accessibility']> {
  const { t } = useTranslation('hosts');
  const at = (id: UniqueIdentifier, over: { id: UniqueIdentifier } | null) => ({
    name: nameOf(id),
    place: placeOf(over?.id ?? id),
  });
  return {
    screenReaderInstructions: { draggable: t('dragHow') },
    announcements: {
      onDragStart: ({ active }) => t('dragged.start', at(active.id, null)),
      onDragOver: ({ active, over }) => t('dragged.over', at(active.id, over)),
      onDragEnd: ({ active, over }) => t('dragged.end', at(active.id, over)),
      onDragCancel: ({ active }) => t('dragged.cancel', at(active.id, null)),
    },
  };
}
