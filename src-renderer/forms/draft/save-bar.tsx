import { Button, Group, Paper, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateWarning } from '#wire/certificate-warning';
import { barRoom } from '../../ui/layout/bar-room.ts';
import { CertificateWarnings } from '../../ui/notices/certificate-warnings.tsx';
import { SaveWaits, useSaveWaits } from '../../ui/notices/save-waits.tsx';
import classes from './save-bar.module.css';

interface SaveBarProps {
  /** Name of the region. */
  label?: string | undefined;
  isSaving: boolean;
  /** Whether what is typed can be sent. */
  isSavable?: boolean;
  /** Without it, the form around the bar is submitted. */
  onSave?: () => void;
  /** What was found about the certificates; saving again accepts it. */
  certificates?: readonly CertificateWarning[];
  /** What was refused, and what has to be decided before a save. */
  notices: ReactNode;
  /** The other buttons: cancel or discard. */
  actions: ReactNode;
  /** Several buttons stand beside each other, on phones too. */
  isDense?: boolean;
  /** What a save would do. */
  children?: ReactNode;
}

/** Always in view: what is not saved, why it cannot be, and the ways out. Ctrl+S presses its button. */
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
  useHotkeys([['mod+S', () => save.current?.click()]], []);
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
              {...(onSave === undefined ? { type: 'submit' } : { onClick: onSave })}
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
