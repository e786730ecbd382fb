import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { barRoom } from '../../../ui/layout/bar-room.ts';
import { CertificateWarnings } from '../../../ui/notices/certificate-warnings.tsx';
import { SaveWaits, useSaveWaits } from '../../../ui/notices/save-waits.tsx';
import type { CertificateQuestion } from '../../../ui/notices/use-certificate-question.ts';
import { textAt } from '../model/json-path.ts';
import classes from './inbound-editor.module.css';
import { useDraftState } from './parts/draft-context.tsx';
import { RefusedList } from './refused-list.tsx';
import { useCertificatesText } from './use-inbound-certificates.ts';

interface SaveBarProps {
  isSaving: boolean;
  /** What was found about the certificates; saving again accepts it. */
  certificateWarnings: CertificateQuestion['warningsOf'];
  onLeave: () => void;
  /** Stands above: what has to be decided before a save. */
  children: ReactNode;
}

/** Save and cancel, always in view, with everything that was refused. */
export function SaveBar({ isSaving, certificateWarnings, onLeave, children }: SaveBarProps) {
  const { t } = useTranslation(['inboundEditor', 'shell']);
  const issues = useDraftState((state) => state.issues);
  const isSavable = useDraftState(({ looseText, draft }) => looseText === null && textAt(draft, 'protocol') !== '');
  const isWaiting = useSaveWaits();
  const warnings = certificateWarnings(useCertificatesText());
  return (
    <div ref={barRoom} className={classes['bar']}>
      <div className={classes['notice']}>
        {children}
        <CertificateWarnings warnings={warnings} />
      </div>
      {issues.length > 0 && <RefusedList issues={issues} />}
      <SaveWaits />
      <Button variant="default" onClick={onLeave}>
        {t('shell:cancel')}
      </Button>
      <Button type="submit" loading={isSaving} disabled={!isSavable || isWaiting}>
        {t(warnings.length > 0 ? 'shell:certificate.anyway' : 'shell:save')}
      </Button>
    </div>
  );
}
