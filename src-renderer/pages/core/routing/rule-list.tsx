import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../core.module.css';
import { useDraft } from '../model/draft.ts';
import { useFocusAlong } from '../../../ui/use-focus-along.ts';
import { moveItem, RULES } from '../model/lists.ts';
import { RuleRow } from './rule-row.tsx';

interface RuleListProps {
  rules: readonly JsonObject[];
  /** Indexes of the rules in the tester's result. */
  found: readonly number[];
  onOpen: (index: number) => void;
}

/** The first matching rule decides, so their order matters: changed by dragging, by keyboard or by menu. */
export function RuleList({ rules, found, onOpen }: RuleListProps) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const edit = useDraft((draft) => draft.change);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const follow = useFocusAlong();
  const move = (from: number, to: number): void => {
    follow(to - from);
    edit((template) => moveItem(template, RULES, from, to));
  };
  const handleDragEnd = ({ active, over }: DragEndEvent): void => {
    if (over !== null && over.id !== active.id) move(Number(active.id) - 1, Number(over.id) - 1);
  };
  const place = (id: string | number | undefined) => format.number(Number(id ?? 0));
  const announcements = {
    onDragStart: ({ active }: { active: { id: string | number } }) => t('drag.lifted', { number: place(active.id) }),
    onDragOver: ({ active, over }: DragNews) =>
      t('drag.over', { number: place(active.id), to: place(over?.id ?? active.id) }),
    onDragEnd: ({ active, over }: DragNews) =>
      t('drag.dropped', { number: place(active.id), to: place(over?.id ?? active.id) }),
    onDragCancel: ({ active }: { active: { id: string | number } }) =>
      t('drag.cancelled', { number: place(active.id) }),
  };
  // Ids of the sortable list count from 1: it treats 0 as no id.
  const ids = rules.map((_, index) => index + 1);
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={handleDragEnd}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('drag.how') } }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol className={classes['rules']} aria-label={t('routing.rules')}>
          {rules.map((rule, index) => (
            <RuleRow
              key={ids[index]}
              id={index + 1}
              rule={rule}
              isFound={found.includes(index) ? (found.length === 1 ? 'sure' : 'maybe') : null}
              isLast={index === rules.length - 1}
              onOpen={() => onOpen(index)}
              onMove={(to) => move(index, Math.max(0, Math.min(rules.length - 1, to)))}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

interface DragNews {
  active: { id: string | number };
  over: { id: string | number } | null;
}
