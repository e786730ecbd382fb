import { Alert, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useInboundOptions } from '../clients/use-inbound-options.ts';
import { RecipeForm } from '../inbounds/recipe-form.tsx';

/** The first inbound, from a recipe. */
export function InboundStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('firstRun');
  const count = useInboundOptions().data?.length ?? 0;
  return (
    <Stack>
      <Text size="sm">{t('inbound.text')}</Text>
      {count > 0 && <Alert color="teal">{t('inbound.there', { count })}</Alert>}
      <RecipeForm onAdded={onDone} />
    </Stack>
  );
}
