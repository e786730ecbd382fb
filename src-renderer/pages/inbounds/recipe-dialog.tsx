import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { RecipeForm } from './recipe-form.tsx';

/** Creates an inbound from a recipe. */
export function RecipeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['inbounds', 'shell']);
  const [isDirty, setDirty] = useState(false);
  const handleClose = useLeaveGuard(isDirty, onClose);
  return (
    <Modal opened onClose={handleClose} size="lg" title={t('add')}>
      <div onChange={() => setDirty(true)}>
        <RecipeForm
          onAdded={onClose}
          otherWay={
            <Button variant="default" onClick={handleClose}>
              {t('shell:cancel')}
            </Button>
          }
        />
      </div>
    </Modal>
  );
}
