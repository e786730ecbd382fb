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
import { Button, Card, Group, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Host } from '#contract/hosts';
import type { InboundOption } from '#contract/inbounds';
import { HostRow } from './host-row.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { useDragWords } from './use-drag-words.ts';
import { inboundName } from './use-hosts.ts';
import type { HostActions } from './use-host-actions.ts';
import { useHostOrder } from './use-host-order.ts';
import { Hint } from '../../ui/layout/hint.tsx';

interface HostSectionProps {
  inbound: InboundOption;
  /** Of this inbound, in order. */
  hosts: readonly Host[];
  /** Groups with more than one row. */
  groups: ReadonlySet<string>;
  selected: ReadonlySet<number>;
  actions: HostActions;
  onSelect: (hosts: readonly Host[], isSelected: boolean) => void;
  onOpen: (what: string) => void;
}

/** The hosts of one inbound, in the order of its links. */
export function HostSection({ inbound, hosts, groups, selected, actions, onSelect, onOpen }: HostSectionProps) {
  const { t } = useTranslation('hosts');
  const [moving, setMoving] = useState<Host | null>(null);
  const sensors = useSensors(
    // A click on the handle does not start a drag.
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const { rows, move } = useHostOrder(hosts);
  const ids = rows.map(({ id }) => id);
  const nameOf = (id: unknown): string => rows.find((host) => host.id === id)?.remark ?? '';
  const words = useDragWords(nameOf, (id) => ids.indexOf(Number(id)) + 1);
  const handleDragEnd = ({ active, over }: DragEndEvent): void => {
    if (over !== null) move(ids.indexOf(Number(active.id)), ids.indexOf(Number(over.id)));
  };
  return (
    <Card component="section" withBorder padding={0} aria-label={inboundName(inbound)}>
      <Group justify="space-between" p="sm" wrap="nowrap">
        <div>
          <Title order={2} size="h5">
            <bdi>{inboundName(inbound)}</bdi>
          </Title>
          <Hint size="xs">
            <bdi>{inbound.protocol}</bdi>
          </Hint>
        </div>
        <Button size="xs" variant="default" onClick={() => onOpen(`new:${inbound.id}`)}>
          {t('add')}
        </Button>
      </Group>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={handleDragEnd} accessibility={words}>
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <ul style={{ margin: 0, padding: 0 }}>
            {rows.map((host) => (
              <HostRow
                key={host.id}
                host={host}
                isGrouped={groups.has(host.groupId)}
                isSelected={selected.has(host.id)}
                actions={actions}
                onSelect={(isSelected) => onSelect([host], isSelected)}
                onOpen={onOpen}
                onMove={() => setMoving(host)}
              />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      {moving !== null && (
        <MoveDialog
          name={moving.remark}
          position={ids.indexOf(moving.id) + 1}
          count={ids.length}
          onClose={() => setMoving(null)}
          onMove={(position) => move(ids.indexOf(moving.id), position - 1)}
        />
      )}
    </Card>
  );
}
