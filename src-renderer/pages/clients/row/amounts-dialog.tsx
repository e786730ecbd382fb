import { Modal, Stack, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { SaveFooter } from '../../../ui/layout/save-footer.tsx';
import { MAX_AMOUNTS, MAX_DAYS, MAX_GIB, readAmounts, useAmounts } from './amounts-store.ts';

/** Which amounts of days and traffic the menus of clients offer. */
export function AmountsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('rowVerbs');
  const format = useFormat();
  const stored = useAmounts();
  const [days, setDays] = useState(stored.days.map(String));
  const [gib, setGib] = useState(stored.gib.map(String));
  const fields = [
    { name: 'days', value: days, onChange: setDays, most: MAX_DAYS },
    { name: 'traffic', value: gib, onChange: setGib, most: MAX_GIB },
  ] as const;
  const refused = fields.map(({ value, most }) => readAmounts(value, most).length < value.length);
  return (
    <Modal opened onClose={onClose} title={t('amounts.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (refused.includes(true)) return;
          stored.set({ days: readAmounts(days, MAX_DAYS).map(Math.round), gib: readAmounts(gib, MAX_GIB) });
          onClose();
        }}
      >
        <Stack>
          <Text size="sm">{t('amounts.text')}</Text>
          {fields.map(({ name, value, onChange }, at) => (
            <TagsInput
              key={name}
              label={t(`amounts.${name}`)}
              description={t('amounts.hint', { most: format.number(MAX_AMOUNTS) })}
              value={value}
              onChange={onChange}
              maxTags={MAX_AMOUNTS}
              acceptValueOnBlur
              // A comma is a decimal sign here.
              splitChars={[]}
              clearable={false}
              inputMode="decimal"
              error={refused[at] ? t('amounts.unreadable') : null}
              data-autofocus={at === 0 || undefined}
            />
          ))}
          <SaveFooter isSaving={false} isLocal onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
