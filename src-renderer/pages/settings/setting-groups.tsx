import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '#contract/settings';
import type settingsTexts from '../../i18n/en/settings.json';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import { GROUPS, isShown, type RowKey, type Section } from './sections.ts';
import { SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';
import { useFactoryDefaults } from './use-settings.ts';

interface SettingGroupsProps {
  stored: SettingsView;
  /** Null = every section. */
  section: Section | null;
  /** Only settings whose name, explanation or key contains this; empty = all. */
  search: string;
  /** Content below a group, by its name. */
  below?: Partial<Record<(typeof GROUPS)[number]['name'], ReactNode>>;
}

/** Settings in their groups. */
export function SettingGroups({ stored, section, search, below = {} }: SettingGroupsProps) {
  const { t } = useTranslation('settings');
  const defaults = useFactoryDefaults();
  const wanted = search.trim().toLowerCase();
  const isMatch = (key: RowKey): boolean => {
    const hint = t(`hint.${key as keyof (typeof settingsTexts)['hint']}`, { defaultValue: '' });
    return `${t(`field.${key}`)}\n${hint}\n${key}`.toLowerCase().includes(wanted);
  };
  const groups = GROUPS.filter((group) => section === null || group.section === section)
    .map((group) => ({
      ...group,
      keys: (group.keys as readonly RowKey[]).filter((key) => isShown(key) && isMatch(key)),
    }))
    .filter(({ keys }) => keys.length > 0);
  if (groups.length === 0) return <EmptyState text={t('noMatch', { text: search.trim() })} />;
  return (
    <>
      {groups.map(({ name, keys }) => (
        <Fragment key={name}>
          <TitledCard title={t(`group.${name}`)}>
            <div className={classes['rows']}>
              {keys.map((key) => (
                <SettingRow key={key} name={key} stored={stored} standard={defaults[key]} />
              ))}
            </div>
          </TitledCard>
          {below[name]}
        </Fragment>
      ))}
    </>
  );
}
