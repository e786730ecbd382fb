import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExternalLink } from '#contract/clients';
import { announceDone } from '../../../ui/notices/announce.ts';
import { DialogFrame } from '../dialog-frame.tsx';
import { useExternalLinks } from './use-external-links.ts';

const KINDS = ['link', 'subscription'] as const;

interface ExternalLinkDialogProps {
  email: string;
  /** Null for a new one. */
  link: ExternalLink | null;
  onClose: () => void;
}

/** Adds or changes one link; the server says what is wrong with it. */
export function ExternalLinkDialog({ email, link, onClose }: ExternalLinkDialogProps) {
  const { t } = useTranslation(['clientTools', 'shell', 'words']);
  const { change } = useExternalLinks(email);
  // The drawer behind is fetched again after the save: the link that this is about must stay the same.
  const [former] = useState(link);
  const [next, setNext] = useState<ExternalLink>(link ?? { kind: 'link', value: '', remark: '' });
  const save = (): void =>
    change.mutate(
      { former, next },
      {
        onSuccess: () => {
          announceDone(t('external.saved'));
          onClose();
        },
      },
    );
  return (
    <DialogFrame
      title={t(link === null ? 'external.titleNew' : 'external.titleEdit')}
      action={t('shell:save')}
      error={change.error}
      isBusy={change.isPending}
      isReady={next.value.trim() !== ''}
      isDirty={next.value !== (former?.value ?? '') || next.remark !== (former?.remark ?? '')}
      onSubmit={save}
      onClose={onClose}
    >
      <Select
        label={t('words:kind')}
        data={KINDS.map((value) => ({ value, label: t(`external.kinds.${value}`) }))}
        value={next.kind}
        onChange={(kind) => kind !== null && setNext({ ...next, kind })}
        allowDeselect={false}
      />
      <Textarea
        label={t('links.link')}
        dir="ltr"
        rows={3}
        maxLength={8192}
        value={next.value}
        onChange={({ currentTarget: { value } }) => setNext({ ...next, value })}
        data-autofocus
      />
      <TextInput
        label={t('external.remark')}
        maxLength={255}
        value={next.remark}
        onChange={({ currentTarget: { value } }) => setNext({ ...next, remark: value })}
      />
    </DialogFrame>
  );
}
