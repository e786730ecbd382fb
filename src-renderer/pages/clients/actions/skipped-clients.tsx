import { Button, Group, ScrollArea, Select, Stack, Table, Textarea, TextInput } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import type { BulkResult } from '../bulk/bulk-result-store.ts';
import { TableHead } from '../../../ui/layout/table-head.tsx';
import classes from './skipped-clients.module.css';
import { Hint } from '../../../ui/layout/hint.tsx';

const SHOWN = 200;

/** Who was left out and why: filtered by reason and e-mail, and taken away as text. */
export function SkippedClients({ skipped }: { skipped: BulkResult['skipped'] }) {
  const { t } = useTranslation(['clients', 'clientActions', 'shell', 'words']);
  const format = useFormat();
  const [reason, setReason] = useState<string | null>(null);
  const [text, setText] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const reasons = useMemo(() => {
    const counts = new Map<string, number>();
    for (const one of skipped) counts.set(one.kind, (counts.get(one.kind) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  }, [skipped]);
  const wanted = text.trim().toLowerCase();
  const rows = skipped.filter(
    (one) => (reason === null || one.kind === reason) && one.email.toLowerCase().includes(wanted),
  );
  const handleCopy = async (): Promise<void> => {
    area.current?.select();
    // Missing on plain http:// pages, whatever the types say: there the marked text is copied by the keyboard.
    await (navigator.clipboard as Clipboard | undefined)?.writeText(area.current?.value ?? '');
  };
  return (
    <Stack gap="sm">
      <Group grow align="end">
        <Select
          label={t('words:reason')}
          placeholder={t('clientActions:skipped.anyReason')}
          data={reasons.map(([value, count]) => ({ value, label: `${value} (${format.number(count)})` }))}
          value={reason}
          onChange={setReason}
          clearable
        />
        <TextInput
          type="search"
          label={t('clientActions:skipped.find')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Group>
      <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0, 'aria-label': t('result.title'), role: 'region' }}>
        <Table layout="fixed" className={classes['skipped'] ?? ''}>
          <TableHead columns={[t('words:email'), t('words:reason')]} />
          <Table.Tbody>
            {rows.slice(0, SHOWN).map((one, at) => (
              <Table.Tr key={`${at} ${one.email}`}>
                <Table.Th scope="row">
                  <bdi>{one.email}</bdi>
                </Table.Th>
                <Table.Td>{one.reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {rows.length > SHOWN && <Hint>{t('shell:more', { count: rows.length - SHOWN })}</Hint>}
      </ScrollArea.Autosize>
      <Textarea
        ref={area}
        label={t('result.copy')}
        readOnly
        rows={3}
        dir="ltr"
        value={rows.map((one) => `${one.email}\t${one.reason}`).join('\n')}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => void handleCopy()}>
          {t('clientActions:skipped.copy', { count: rows.length })}
        </Button>
      </Group>
    </Stack>
  );
}
