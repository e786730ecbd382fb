import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getOutboundsTraffic, type OutboundTraffic } from '#contract/coreSettings';
import type { JsonObject } from '#wire/json';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { useDraft } from '../model/draft.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { dropItem, OUTBOUNDS } from '../model/lists.ts';
import { dropReferences, referencesTo, renameReferences } from '../model/references.ts';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { Address, Kind, Name, Traffic } from './outbound-cells.tsx';
import { isTestable } from './outbound-kinds.ts';
import { OutboundMenu } from './outbound-menu.tsx';
import { TestFigures } from './test-result.tsx';
import type { OutboundTests, TestMode } from './use-outbound-tests.ts';

interface OutboundTableProps {
  own: readonly JsonObject[];
  subscribed: readonly JsonObject[];
  tests: OutboundTests;
  mode: TestMode;
  /** @param which index in the template */
  onOpen: (which: string) => void;
}

export function OutboundTable({ own, subscribed, tests, mode, onOpen }: OutboundTableProps) {
  const { t } = useTranslation(['core', 'words', 'shell']);
  const traffic = useTrafficByTag();
  const edit = useDraft((draft) => draft.change);
  const template = useDraft(({ draft }) => draft);
  const [deletingIndex, setDeletingIndex] = useState<number | null>(null);
  const deletingTag = deletingIndex === null ? '' : textAt(own[deletingIndex]?.['tag']);
  const handleDelete = (replacement: string | null): void =>
    edit((before) => {
      const without = dropItem(before, OUTBOUNDS, deletingIndex ?? -1);
      return replacement === null
        ? dropReferences(without, deletingTag)
        : renameReferences(without, deletingTag, replacement);
    });
  const rows = [
    ...own.map((outbound, index) => ({ outbound, index, isOwn: true })),
    ...subscribed.map((outbound, index) => ({ outbound, index, isOwn: false })),
  ];
  return (
    <>
      <CardTable
        minWidth={760}
        columns={[t('field.tag'), t('words:protocol'), t('words:address'), t('shell:nav.traffic'), t('test.column')]}
        actions={t('words:actions')}
      >
        {rows.map(({ outbound, index, isOwn }) => {
          const tag = textAt(outbound['tag']);
          const result = tests.results[tag];
          return (
            <Table.Tr key={`${isOwn} ${index}`}>
              <Table.Th scope="row">
                <Name
                  outbound={outbound}
                  isFirst={isOwn && index === 0}
                  isOwn={isOwn}
                  onOpen={() => onOpen(String(index))}
                />
              </Table.Th>
              <Table.Td>
                <Kind outbound={outbound} />
              </Table.Td>
              <Table.Td>
                <Address outbound={outbound} />
              </Table.Td>
              <Table.Td>
                <Traffic row={traffic.get(tag)} />
              </Table.Td>
              <Table.Td>
                {result === undefined && isTestable(outbound) && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={t('test.named', { name: tag })}
                    onClick={() => void tests.run([outbound], mode)}
                  >
                    {t('test.one')}
                  </Button>
                )}
                {result !== undefined && <TestFigures result={result} />}
              </Table.Td>
              <Table.Td ta="end">
                <OutboundMenu
                  outbound={outbound}
                  index={index}
                  isOwn={isOwn}
                  onTest={() => void tests.run([outbound], mode)}
                  onOpen={() => onOpen(String(index))}
                  onDelete={() => setDeletingIndex(index)}
                />
              </Table.Td>
            </Table.Tr>
          );
        })}
      </CardTable>
      {deletingIndex !== null && (
        <DeleteDialog
          name={deletingTag}
          references={referencesTo(template, deletingTag)}
          replacements={[...own, ...subscribed]
            .map((outbound) => textAt(outbound['tag']))
            .filter((tag) => tag !== deletingTag && tag !== '')}
          onDelete={handleDelete}
          onClose={() => setDeletingIndex(null)}
        />
      )}
    </>
  );
}

/** Counted bytes, updated by the live stream. */
function useTrafficByTag(): Map<string, OutboundTraffic> {
  const { data = [] } = useRead(getOutboundsTraffic, {}, [...keys.outbounds, 'traffic']);
  return new Map(data.map((row) => [row.tag, row]));
}
