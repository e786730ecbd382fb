import { ActionIcon, Group, Table } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ComparedLine } from '../../../../src-main/bridge/jobs.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import classes from './compare.module.css';

interface LinesProps {
  lines: readonly ComparedLine[];
  leftName: string;
  rightName: string;
  busyId: string | null;
  onTake: (line: ComparedLine, from: 'left' | 'right') => void;
}

export const titleOf = ({ group, path, part }: ComparedLine): string =>
  part === 'inbounds' ? `${group}: ${path}` : path;

/** Differences line by line, the two panels side by side. Each panel keeps its side in every language. */
export function LineTable({ lines, leftName, rightName, busyId, onTake }: LinesProps) {
  const { t } = useTranslation('works');
  return (
    <CardTable minWidth={720} columns={[t('compare.line'), leftName, rightName]} actions={t('compare.actions')}>
      {lines.map((line) => (
        <Table.Tr key={line.id} aria-label={titleOf(line)}>
          <Table.Th scope="row" className={classes['path'] ?? ''}>
            <bdi>{titleOf(line)}</bdi>
            {line.isBound && !line.isSecret && <Hint size="xs">{t('compare.bound')}</Hint>}
          </Table.Th>
          {line.isSecret ? (
            <Table.Td colSpan={2}>{t('compare.secret')}</Table.Td>
          ) : (
            <>
              <Value label={leftName} value={line.left} />
              <Value label={rightName} value={line.right} />
            </>
          )}
          <Table.Td>
            <Group gap={4} wrap="nowrap" dir="ltr">
              {!line.isSecret && line.right !== null && (
                <ActionIcon
                  variant="default"
                  loading={busyId === line.id}
                  aria-label={t('compare.take', { line: titleOf(line), name: leftName })}
                  onClick={() => onTake(line, 'right')}
                >
                  <IconArrowLeft size={16} />
                </ActionIcon>
              )}
              {!line.isSecret && line.left !== null && (
                <ActionIcon
                  variant="default"
                  loading={busyId === line.id}
                  aria-label={t('compare.take', { line: titleOf(line), name: rightName })}
                  onClick={() => onTake(line, 'left')}
                >
                  <IconArrowRight size={16} />
                </ActionIcon>
              )}
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </CardTable>
  );
}

function Value({ label, value }: { label: string; value: string | null }) {
  const { t } = useTranslation('works');
  return (
    <Table.Td data-label={label} className={classes['value'] ?? ''}>
      {value === null || value === '' ? (
        <Hint>{t(value === null ? 'compare.notThere' : 'compare.empty')}</Hint>
      ) : (
        <bdi>{value}</bdi>
      )}
    </Table.Td>
  );
}
