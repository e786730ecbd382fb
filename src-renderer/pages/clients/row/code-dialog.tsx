import { Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { ReachNote } from '../../../ui/notices/reach-note.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useClientCodes } from './use-client-codes.ts';

interface CodeDialogProps {
  email: string;
  onClose: () => void;
}

/** The code that a client's phone scans, one at a time and large. */
export function CodeDialog({ email, onClose }: CodeDialogProps) {
  return (
    <Modal opened onClose={onClose} title={<bdi>{email}</bdi>}>
      <ClientCodes email={email} preferred="" />
    </Modal>
  );
}

/** @param preferred part of the name of the code that is shown first; empty = the first one */
export function ClientCodes({ email, preferred }: { email: string; preferred: string }) {
  const { t } = useTranslation(['rowVerbs', 'clientTools']);
  const codes = useClientCodes(email);
  const [chosen, choose] = useState<string | null>(null);
  return (
    <QueryView query={codes} empty={<Text size="sm">{t('clientTools:links.none')}</Text>}>
      {(all) => {
        const first = preferred === '' ? -1 : all.findIndex(({ name }) => name.includes(preferred));
        const at = chosen === null ? Math.max(0, first) : Number(chosen);
        const code = all[at] ?? all[0]!;
        return (
          <Stack>
            {all.length > 1 && (
              <Select
                label={t('code.which')}
                data={all.map(({ name }, index) => ({ value: String(index), label: name }))}
                value={String(at)}
                onChange={choose}
                allowDeselect={false}
                data-autofocus
              />
            )}
            <QrCode text={code.text} label={email} />
            <CopyField label={code.name} value={code.text} />
            <ReachNote link={code.text} />
          </Stack>
        );
      }}
    </QueryView>
  );
}
