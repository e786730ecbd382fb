import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Issue } from '../../forms/draft/draft-store.ts';
import { Refusals } from '../../forms/draft/refusals.tsx';
import { GROUPS, type RowKey } from './sections.ts';

const SECTION_OF = new Map<string, string>(GROUPS.flatMap(({ section, keys }) => keys.map((key) => [key, section])));

/** Why a save was refused: each reason with a link to its setting, maybe in another section; else the whole. */
export function RefusedSettings({ issues }: { issues: readonly Issue[] }) {
  const { t } = useTranslation('settings');
  const rows = issues
    .filter(({ path }) => SECTION_OF.has(path))
    .map(({ path, message }) => ({
      key: path,
      message,
      field: (
        <Anchor
          component={Link}
          c="inherit"
          underline="always"
          to={`/panel/settings/${SECTION_OF.get(path)}?q=${encodeURIComponent(path)}`}
        >
          {t(`field.${path as RowKey}`)}
        </Anchor>
      ),
    }));
  const whole = issues.filter(({ path }) => path === '').map(({ message }) => ({ key: '', message }));
  return <Refusals rows={rows.length > 0 ? rows : whole} />;
}
