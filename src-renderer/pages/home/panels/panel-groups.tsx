import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './panels.module.css';
import { groupPanels, type ShownPanel } from './panel-model.ts';
import type { PanelVerbs } from './panel-menu.tsx';
import { PanelTable } from './panel-table.tsx';
import { PanelTile } from './panel-tile.tsx';

interface GroupsProps {
  panels: readonly ShownPanel[];
  layout: 'cards' | 'rows';
  isWall: boolean;
  nowMs: number;
  onOpen: (id: string) => void;
  verbs: PanelVerbs | null;
}

/** Panels under the names of their groups; without groups there are no headings. */
export function PanelGroups({ panels, layout, isWall, nowMs, onOpen, verbs }: GroupsProps) {
  const { t } = useTranslation('home');
  const groups = groupPanels(panels);
  return groups.map(({ group, panels: members }) => (
    <Stack key={group} gap="xs" component="section" className={isWall ? (classes['wall'] ?? '') : ''}>
      {groups.length > 1 && (
        <Title order={2} size="h4">
          {group === '' ? t('group.none') : <bdi>{group}</bdi>}
        </Title>
      )}
      {layout === 'rows' ? (
        <PanelTable panels={members} onOpen={onOpen} verbs={verbs} />
      ) : (
        <div className={classes['tiles']}>
          {members.map(({ card, name, color }) => (
            <PanelTile
              key={card.id}
              card={card}
              name={name}
              color={color}
              nowMs={nowMs}
              onOpen={onOpen}
              verbs={verbs}
            />
          ))}
        </div>
      )}
    </Stack>
  ));
}
