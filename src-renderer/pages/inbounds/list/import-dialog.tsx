import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { importInbound } from '#contract/inbounds';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { readObject } from '../../../forms/draft/json.ts';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { ChooseFile } from '../../../ui/files/choose-file.tsx';
import { announceDone } from '../../../ui/notices/announce.ts';
import { JsonEditor } from '../../../ui/json/json-editor.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';
import { nameOf } from './inbound-kind.ts';

/** An inbound exported by this or another panel, with its clients and their counters. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['inbounds', 'inboundTools', 'shell', 'words']);
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const add = useChange(importInbound, [keys.inbounds, keys.clients, keys.hosts]);
  const handleClose = useLeaveGuard(text.trim() !== '', onClose);
  const handleImport = (): void =>
    add.mutate(
      { body: { data: text } },
      {
        onSuccess: (inbound) => {
          announceDone(t('added', { remark: nameOf(inbound) }));
          onClose();
        },
      },
    );
  return (
    <Modal opened onClose={handleClose} size="xl" title={t('import.title')}>
      <Stack>
        <Failure error={add.error} />
        <JsonEditor label={t('import.label')} value={text} onChange={setText} minHeight={280} />
        <Group justify="space-between">
          <ChooseFile
            accept="application/json,.json"
            inputProps={{ 'aria-label': t('import.file') }}
            onChange={(file) => void file?.text().then(setText)}
          >
            {(props) => (
              <Button variant="default" {...props}>
                {t('import.file')}
              </Button>
            )}
          </ChooseFile>
          <Group gap="xs">
            <Button variant="default" onClick={handleClose}>
              {t('shell:cancel')}
            </Button>
            <Button
              variant="default"
              disabled={readObject(text) === null}
              onClick={() => void navigate('/panel/inbounds/new', { state: { recipe: text } })}
            >
              {t('inboundTools:openInEditor')}
            </Button>
            <Button disabled={text.trim() === ''} loading={add.isPending} onClick={handleImport}>
              {t('words:import')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
