import { Button, Chip, Group, Select, SegmentedControl, Switch } from '@mantine/core';
import { IconDownload, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MomentField } from '../../forms/dates/moment-field.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import toolbar from '../../ui/layout/toolbar.module.css';
import { KINDS, LEVELS, SOURCES, type Level } from './log-line.ts';
import type { LogQuery } from './use-log.ts';

interface LogToolbarProps {
  query: LogQuery;
  onQuery: (part: Partial<LogQuery>) => void;
  view: { isPaused: boolean; isFollowing: boolean; isWrapped: boolean; moment: string };
  onView: (part: Partial<LogToolbarProps['view']>) => void;
  /** Absent = nothing was read yet. */
  onDownload: (() => void) | undefined;
}

/** Filters and view options of the log. */
export function LogToolbar({ query, onQuery, view, onView, onDownload }: LogToolbarProps) {
  const { t } = useTranslation(['logs', 'words']);
  const { source, level, hidden, filter } = query;
  const handleKinds = (shown: string[]): void => onQuery({ hidden: KINDS.filter((kind) => !shown.includes(kind)) });
  return (
    <>
      <Group align="end" gap="sm" className={toolbar['fields'] ?? ''}>
        <SegmentedControl
          aria-label={t('source.label')}
          value={source}
          onChange={(value) => onQuery({ source: value })}
          data={SOURCES.map((value) => ({ value, label: t(`source.${value}`) }))}
        />
        {source === 'access' ? (
          <Chip.Group multiple value={KINDS.filter((kind) => !hidden.includes(kind))} onChange={handleKinds}>
            <Group gap="xs" role="group" aria-label={t('kind.label')} mih={36}>
              {KINDS.map((kind) => (
                <Chip key={kind} value={kind} variant="outline">
                  {t(`kind.${kind}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        ) : (
          <Select
            aria-label={t('level.label')}
            w={160}
            allowDeselect={false}
            value={level}
            onChange={(value) => onQuery({ level: value as Level })}
            data={LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
          />
        )}
        <SearchField
          label={t('filter')}
          value={filter}
          onSearch={(text) => onQuery({ filter: text })}
          flex={{ base: '1 1 220px', sm: 'none' }}
          w={220}
        />
        <MomentField
          label={t('jump')}
          isLabelHidden
          hasSeconds
          value={view.moment}
          onChange={(moment) => onView({ moment, isFollowing: false })}
        />
      </Group>
      <Group gap="md" className={toolbar['fields'] ?? ''}>
        <Button
          variant="default"
          leftSection={
            view.isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
          }
          onClick={() => onView({ isPaused: !view.isPaused })}
        >
          {view.isPaused ? t('words:goOn') : t('pause')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={onDownload === undefined}
          onClick={onDownload}
        >
          {t('words:download')}
        </Button>
        <Switch
          label={t('follow')}
          checked={view.isFollowing}
          onChange={(event) => onView({ isFollowing: event.currentTarget.checked, moment: '' })}
        />
        <Switch
          label={t('wrap')}
          checked={view.isWrapped}
          onChange={(event) => onView({ isWrapped: event.currentTarget.checked })}
        />
      </Group>
    </>
  );
}
