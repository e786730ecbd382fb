import { Checkbox, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../../ui/palette/chip.tsx';
import { severityTone } from '../../../ui/palette/tones.ts';
import type { NodeVersions } from '#contract/nodes/rollout';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

interface VersionTableProps {
  rows: readonly NodeVersions[];
  chosen: ReadonlySet<number>;
  onChoose: (chosen: ReadonlySet<number>) => void;
}

/** Whether anything can be installed on a node now. */
export const isReady = ({ enable, status }: Pick<NodeVersions, 'enable' | 'status'>): boolean =>
  enable && status === 'online';

/** The version on each node, and the one before. */
export function VersionTable({ rows, chosen, onChoose }: VersionTableProps) {
  const { t } = useTranslation(['nodes', 'words']);
  const ready = rows.filter(isReady).map(({ id }) => id);
  const isAll = ready.length > 0 && ready.every((id) => chosen.has(id));
  const columns = (['name', 'panel', 'core', 'geo'] as const).map((column) => t(`fleet.column.${column}`));
  const toggle = (id: number, isOn: boolean): void =>
    onChoose(new Set(isOn ? [...chosen, id] : [...chosen].filter((each) => each !== id)));
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('fleet.chooseAll')}
        checked={isAll}
        indeterminate={!isAll && ready.some((id) => chosen.has(id))}
        onChange={(event) => onChoose(new Set(event.currentTarget.checked ? ready : []))}
      />
      <CardTable minWidth={720} columns={columns} actions={t('words:actions')}>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
              <Checkbox
                label={<bdi>{row.name}</bdi>}
                checked={chosen.has(row.id)}
                disabled={!isReady(row)}
                {...(isReady(row) ? {} : { description: t('fleet.notReady') })}
                onChange={(event) => toggle(row.id, event.currentTarget.checked)}
              />
            </Table.Th>
            <Table.Td data-label={t('fleet.column.panel')}>
              <Version version={row.panelVersion} before={row.panelVersionBefore} />
            </Table.Td>
            <Table.Td data-label={t('fleet.column.core')}>
              <Version version={row.coreVersion} before={row.coreVersionBefore} />
              {row.enable && row.status === 'online' && row.coreState !== 'running' && (
                <Chip tone={severityTone('danger')}>{t('fleet.coreDown')}</Chip>
              )}
            </Table.Td>
            <Table.Td data-label={t('fleet.column.geo')}>
              <GeoFiles files={row.geoFiles} />
            </Table.Td>
            <Table.Td />
          </Table.Tr>
        ))}
      </CardTable>
    </Stack>
  );
}

function Version({ version, before }: { version: string; before: string }) {
  const { t } = useTranslation('nodes');
  return (
    <>
      <bdi>{version || t('fleet.unknown')}</bdi>
      {before !== '' && <Hint size="xs">{t('fleet.before', { version: before })}</Hint>}
    </>
  );
}

function GeoFiles({ files }: { files: NodeVersions['geoFiles'] }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  if (files === null) return <>{t('fleet.unknown')}</>;
  if (files.length === 0) return <>{t('fleet.noGeo')}</>;
  return (
    <Stack gap={0}>
      {files.map(({ name, updatedAt }) => (
        <Text key={name} size="xs">
          <bdi>{name}</bdi> · {updatedAt === 0 ? t('fleet.shipped') : format.date(updatedAt)}
        </Text>
      ))}
    </Stack>
  );
}
