import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RecipeForm } from './recipe-form.tsx';

/** Creates an inbound from a recipe. */
export function RecipeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['inbounds', 'shell']);
  return (
    <Modal opened onClose={onClose} size="lg" title={t('add')}>
      <RecipeForm
        onAdded={onClose}
        otherWay={
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
        }
      />
    </Modal>
  );
}
