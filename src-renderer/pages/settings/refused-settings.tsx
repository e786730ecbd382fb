import { Alert, Anchor, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SettingKey } from '#contract/settings';
import { GROUPS, type RowKey } from './sections.ts';

interface RefusedSettingsProps {
  /** Of the save as a whole. */
  failure: string;
  refused: Readonly<Partial<Record<SettingKey, string>>>;
}

const SECTION_OF = new Map<string, string>(GROUPS.flatMap(({ section, keys }) => keys.map((key) => [key, section])));

/** Why a save was refused: each reason with the setting it is about, which may stand in another section and is linked. */
export function RefusedSettings({ failure, refused }: RefusedSettingsProps) {
  const { t } = useTranslation('settings');
  const rows = Object.entries(refused).filter(([key]) => SECTION_OF.has(key));
  return (
    <Alert color="red" role="alert">
      {rows.length === 0 ? (
        <bdi>{failure}</bdi>
      ) : (
        <List size="sm" listStyleType={rows.length === 1 ? 'none' : 'disc'}>
          {rows.map(([key, message]) => (
            <List.Item key={key}>
              <Anchor
                component={Link}
                c="inherit"
                underline="always"
                to={`/panel/settings/${SECTION_OF.get(key)}?q=${encodeURIComponent(key)}`}
              >
                {t(`field.${key as RowKey}`)}
              </Anchor>
              : <bdi>{message}</bdi>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
