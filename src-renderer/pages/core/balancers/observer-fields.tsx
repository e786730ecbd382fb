import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNames } from '../draft/use-core-settings.ts';
import { useDraft } from '../model/draft.ts';
import type { Path } from '../../../forms/draft/json.ts';
import { ListField, NumberField, SwitchField, TextField } from '../parts/fields.tsx';

/** How outbounds are measured. @param name section of the template */
export function ObserverFields({ name }: { name: string }) {
  const { t } = useTranslation('core');
  const { outbounds } = useNames();
  const root = useDraft(({ draft }) => draft);
  const edit = useDraft((draft) => draft.change);
  const at = (path: Path, label: string) => ({
    root,
    path: [name, ...path],
    label,
    onEdit: (next: typeof root, field: string) => edit(() => next, field),
  });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <ListField {...at(['subjectSelector'], t('observer.subjects'))} suggestions={outbounds} />
      {name === 'observatory' ? (
        <>
          <TextField {...at(['probeUrl'], t('observer.url'))} />
          <TextField {...at(['probeInterval'], t('observer.interval'))} placeholder="1m" />
          <SwitchField {...at(['enableConcurrency'], t('observer.concurrent'))} />
        </>
      ) : (
        <>
          <TextField {...at(['pingConfig', 'destination'], t('observer.url'))} />
          <TextField {...at(['pingConfig', 'interval'], t('observer.interval'))} placeholder="1m" />
          <TextField {...at(['pingConfig', 'timeout'], t('observer.timeout'))} placeholder="5s" />
          <NumberField {...at(['pingConfig', 'sampling'], t('observer.sampling'))} min={1} />
        </>
      )}
    </SimpleGrid>
  );
}
