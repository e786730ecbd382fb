import { Alert, Button, List } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { barRoom } from '../../../ui/bar-room.ts';
import { textAt } from '../model/json-path.ts';
import classes from './inbound-editor.module.css';
import { useDraftState } from './parts/draft-context.tsx';

interface SaveBarProps {
  isSaving: boolean;
  onLeave: () => void;
  /** Stands above: what has to be decided before a save. */
  children: ReactNode;
}

/** Save and cancel, always in view, with everything that was refused. */
export function SaveBar({ isSaving, onLeave, children }: SaveBarProps) {
  const { t } = useTranslation(['inboundEditor', 'shell']);
  const issues = useDraftState((state) => state.issues);
  const isSavable = useDraftState(({ looseText, draft }) => looseText === null && textAt(draft, 'protocol') !== '');
  return (
    <div ref={barRoom} className={classes['bar']}>
      <div className={classes['notice']}>{children}</div>
      {issues.length > 0 && (
        <Alert color="red" role="alert" className={classes['notice'] ?? ''} title={t('refused')}>
          <List size="sm" listStyleType={issues.length === 1 ? 'none' : 'disc'}>
            {issues.map(({ path, placed }) => (
              <List.Item key={`${path} ${placed}`}>
                <bdi>{placed}</bdi>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Button variant="default" onClick={onLeave}>
        {t('shell:cancel')}
      </Button>
      <Button type="submit" loading={isSaving} disabled={!isSavable}>
        {t('shell:save')}
      </Button>
    </div>
  );
}
