import { Button, Group, Paper, Stack } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateWarning } from '#wire/certificate-warning';
import { useCtrlKey } from '../../ui/latin-key.ts';
import { barRoom } from '../../ui/layout/bar-room.ts';
import { CertificateWarnings } from '../../ui/notices/certificate-warnings.tsx';
import { SaveWaits, useSaveWaits } from '../../ui/notices/save-waits.tsx';
import { allFit } from '../all-fit.ts';
import classes from './save-bar.module.css';
import { openDialogs } from '../../ui/dialogs.ts';

interface SaveBarProps {
  /** Name of the region. */
  label?: string | undefined;
  isSaving: boolean;
  /** Whether the draft can be sent. */
  isSavable?: boolean;
  /** Without it, the form around the bar is submitted. */
  onSave?: () => void;
  /** Problems found with the certificates; saving again accepts them. */
  certificates?: readonly CertificateWarning[];
  /** Refusals, and decisions to make before a save. */
  notices: ReactNode;
  /** The other buttons: cancel or discard. */
  actions: ReactNode;
  /** Keeps several buttons in one row, on phones too. */
  isDense?: boolean;
  /** What a save would do. */
  children?: ReactNode;
}

/** Always in view: what is not saved, why it cannot be, save and discard. Ctrl+S saves. */
export function SaveBar({
  isSaving,
  isSavable = true,
  onSave,
  certificates = [],
  isDense = false,
  ...props
}: SaveBarProps) {
  const { t } = useTranslation('shell');
  const save = useRef<HTMLButtonElement>(null);
  const isWaiting = useSaveWaits();
  useCtrlKey('s', () => {
    // A dialog over the page is what the operator has in mind.
    if (openDialogs().length === 0) save.current?.click();
  });
  return (
    <Paper
      ref={barRoom}
      withBorder
      shadow="md"
      p="sm"
      className={classes['bar'] ?? ''}
      component="section"
      aria-label={props.label}
    >
      <Stack gap="xs">
        <div className={classes['notices']}>
          {props.notices}
          <CertificateWarnings warnings={certificates} />
        </div>
        <Group justify={props.children === undefined ? 'flex-end' : 'space-between'} gap="xs">
          {props.children}
          <SaveWaits />
          <Group gap={isDense ? 6 : 'xs'}>
            {props.actions}
            <Button
              ref={save}
              {...(isDense ? { size: 'xs', px: 'xs' } : {})}
              {...(onSave === undefined
                ? { type: 'submit' }
                : { onClick: ({ currentTarget }) => allFit(currentTarget) && onSave() })}
              loading={isSaving}
              disabled={!isSavable || isWaiting}
            >
              {t(certificates.length > 0 ? 'certificate.anyway' : 'save')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}
