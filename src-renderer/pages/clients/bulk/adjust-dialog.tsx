import { Button, Modal, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkAdjustClients, FLOWS } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { SizeField, type Size } from '../../../forms/size-field.tsx';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';
import { useBulkResult } from './bulk-result-store.ts';

/** As `bulkAdjust` takes it: empty leaves it alone, `none` takes it away. */
const FLOW_CHOICES = ['', 'none', ...FLOWS.filter((flow) => flow !== '')];

/** Moves expiry and quota and sets the flow of the named clients. */
export function AdjustDialog({ emails, onClose }: { emails: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(['clients', 'shell']);
  const adjust = useChange(bulkAdjustClients, [keys.clients]);
  const show = useBulkResult((state) => state.show);
  const [addDays, setDays] = useState(0);
  const [traffic, setTraffic] = useState<Size>(0);
  const [flow, setFlow] = useState('');
  const isNothing = addDays === 0 && traffic === 0 && flow === '';
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    adjust.mutate(
      { body: { emails: [...emails], addDays, addBytes: Number(traffic), flow } },
      {
        onSuccess: ({ adjusted, skipped }) => {
          show({ done: adjusted, skipped });
          onClose();
        },
      },
    );
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('adjust.title', { count: emails.length })}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form onSubmit={handleSubmit}>
        <Stack>
          <Failure error={adjust.error} />
          <NumberInput
            label={t('adjust.days')}
            value={addDays}
            onChange={(value) => setDays(Number(value))}
            allowDecimal={false}
            data-autofocus
          />
          <SizeField
            label={t('adjust.traffic')}
            value={traffic}
            onChange={setTraffic}
            min={Number.MIN_SAFE_INTEGER}
            empty={0}
          />
          <Select
            label={t('adjust.flow')}
            data={FLOW_CHOICES.map((value) => ({
              value,
              label: value === '' ? t('adjust.flowKeep') : value === 'none' ? t('adjust.flowNone') : value,
            }))}
            value={flow}
            onChange={(value) => setFlow(value ?? '')}
            allowDeselect={false}
          />
          <Text size="sm" c="dimmed">
            {t('adjust.hint')}
          </Text>
          <DialogFooter>
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={adjust.isPending} disabled={isNothing || typeof traffic !== 'number'}>
              {t('adjust.action')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
