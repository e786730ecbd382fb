import { NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateClientTraffic } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceDone } from '../../../ui/announce.ts';
import { confirmDeed } from '../../../ui/confirm.tsx';
import { DialogFrame } from '../dialog-frame.tsx';
import { BYTE_UNITS, inUnit, toBytes, unitFor, type ByteUnit } from './byte-units.ts';

interface TrafficDialogProps {
  email: string;
  /** Counted bytes now. */
  up: number;
  down: number;
  onClose: () => void;
}

/** Sets both counters of a client by hand. */
export function TrafficDialog({ email, up, down, onClose }: TrafficDialogProps) {
  const { t } = useTranslation(['clientTools', 'shell']);
  const format = useFormat();
  const change = useChange(updateClientTraffic, [keys.clients, keys.groups]);
  // The counters go on while this is open: what was there at its start decides what is untouched.
  const [start] = useState({ up, down });
  const [unit, setUnit] = useState<ByteUnit>(() => unitFor(Math.max(up, down)));
  // As typed; null = as it was counted, to the byte.
  const [typed, setTyped] = useState<{ up: number | null; down: number | null }>({ up: null, down: null });
  const bytesOf = (name: 'up' | 'down'): number => {
    const value = typed[name];
    return value === null ? start[name] : toBytes(value, unit);
  };
  const next = { upload: bytesOf('up'), download: bytesOf('down') };
  const isChanged = next.upload !== start.up || next.download !== start.down;
  const isUsable = Number.isSafeInteger(next.upload) && Number.isSafeInteger(next.download);
  async function save(): Promise<void> {
    const figures = { up: format.bytes(next.upload), down: format.bytes(next.download) };
    const isSure = await confirmDeed({
      title: t('counters.confirmTitle', { email }),
      text: t('counters.confirmText', {
        before: t('counters.figures', { up: format.bytes(start.up), down: format.bytes(start.down) }),
        after: t('counters.figures', figures),
      }),
      deed: t('counters.deed'),
      cancel: t('shell:cancel'),
      isDangerous: false,
    });
    if (!isSure) return;
    change.mutate(
      { params: { email }, body: next },
      {
        onSuccess: () => {
          announceDone(t('counters.saved', { email }));
          onClose();
        },
      },
    );
  }
  const counter = (name: 'up' | 'down') => (
    <NumberInput
      label={t(`counters.${name}`)}
      min={0}
      decimalScale={unit === 'B' ? 0 : 6}
      value={typed[name] ?? inUnit(start[name], unit)}
      onChange={(value) => typeof value === 'number' && setTyped((before) => ({ ...before, [name]: value }))}
      error={Number.isSafeInteger(bytesOf(name)) ? undefined : t('counters.tooMuch')}
    />
  );
  return (
    <DialogFrame
      title={t('counters.title', { email })}
      deed={t('counters.deed')}
      error={change.error}
      isBusy={change.isPending}
      isReady={isChanged && isUsable}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Select
        label={t('counters.unit')}
        data={BYTE_UNITS}
        value={unit}
        onChange={(chosen) => {
          if (chosen === null) return;
          // What was typed stays the same amount.
          setTyped((before) => ({
            up: before.up === null ? null : inUnit(toBytes(before.up, unit), chosen),
            down: before.down === null ? null : inUnit(toBytes(before.down, unit), chosen),
          }));
          setUnit(chosen);
        }}
        allowDeselect={false}
      />
      {counter('up')}
      {counter('down')}
      <Text size="sm" c="dimmed">
        {t('counters.note')}
      </Text>
    </DialogFrame>
  );
}
