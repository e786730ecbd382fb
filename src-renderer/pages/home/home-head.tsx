import { Button, Group, SegmentedControl, Select, Title } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PanelsChoices } from '../../../src-main/bridge/panels.ts';
import { JobsMenu } from './jobs/jobs-menu.tsx';
import type { Sort } from './panels/panel-model.ts';

const SORTS = ['need', 'own', 'name'] as const;
const LAYOUTS = ['cards', 'rows'] as const;

interface HeadProps {
  choices: PanelsChoices;
  setChoices: (part: Partial<PanelsChoices>) => void;
  onWall: (value: string) => void;
  onWatch: (value: string) => void;
}

/** The title, the view options and the links to everything else; not rendered again when figures change. */
export const HomeHead = memo(function HomeHead({ choices, setChoices, onWall, onWatch }: HeadProps) {
  const { t } = useTranslation(['home', 'words']);
  return (
    <Group justify="space-between">
      <Title order={1} size="h2">
        {t('words:allPanels')}
      </Title>
      <Group gap="xs">
        <Select
          aria-label={t('sort.label')}
          w={150}
          allowDeselect={false}
          value={choices.sort}
          data={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
          onChange={(sort) => setChoices({ sort: sort as Sort })}
        />
        <SegmentedControl
          aria-label={t('layout.label')}
          value={choices.layout}
          data={LAYOUTS.map((value) => ({ value, label: t(`layout.${value}`) }))}
          onChange={(layout) => setChoices({ layout })}
        />
        <Button variant="default" onClick={() => onWall('')}>
          {t('wall')}
        </Button>
        <Button variant="default" component={Link} to="/desktop/home/backups">
          {t('words:backups')}
        </Button>
        <Button variant="default" component={Link} to="/desktop/home/vantage">
          {t('vantage')}
        </Button>
        <Button variant="default" onClick={() => onWatch('')}>
          {t('watch.title')}
        </Button>
        <JobsMenu />
        <Button variant="default" component={Link} to="/desktop/connections">
          {t('words:managePanels')}
        </Button>
        <Button variant="subtle" component={Link} to="/panel">
          {t('words:backToPanel')}
        </Button>
      </Group>
    </Group>
  );
});
