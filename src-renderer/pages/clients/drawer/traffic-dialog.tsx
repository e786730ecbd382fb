import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateClientTraffic } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { SizeField, type Size } from '../../../forms/size-field.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { announceDone } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { DialogFrame } from '../dialog-frame.tsx';

interface TrafficDialogProps {
  email: string;
  /** Counted bytes now. */
  up: number;
  down: number;
  onClose: () => void;
}

/** Sets both counters of a client by hand. */
export function TrafficDialog({ email, up, down, onClose }: TrafficDialogProps) {
  const { t } = useTranslation('clientTools');
  const format = useFormat();
  const change = useChange(updateClientTraffic, [keys.clients, keys.groups]);
  // The counters go on while this is open: what was there at its start decides what is untouched.
  const [start] = useState({ up, down });
  const [counters, setCounters] = useState<{ up: Size; down: Size }>(start);
  const isUsable = typeof counters.up === 'number' && typeof counters.down === 'number';
  const next = { upload: Number(counters.up), download: Number(counters.down) };
  const isChanged = counters.up !== start.up || counters.down !== start.down;
  async function save(): Promise<void> {
    const figures = { up: format.bytes(next.upload), down: format.bytes(next.download) };
    const isSure = await confirmAction({
      title: t('counters.confirmTitle', { email }),
      text: t('counters.confirmText', {
        before: t('counters.figures', { up: format.bytes(start.up), down: format.bytes(start.down) }),
        after: t('counters.figures', figures),
      }),
      action: t('counters.action'),
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
    <SizeField
      label={t(`counters.${name}`)}
      value={counters[name]}
      onChange={(value) => setCounters((before) => ({ ...before, [name]: value }))}
      empty={0}
    />
  );
  return (
    <DialogFrame
      title={t('counters.title', { email })}
      action={t('counters.action')}
      error={change.error}
      isBusy={change.isPending}
      isReady={isChanged && isUsable}
      isDirty={isChanged}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {counter('up')}
      {counter('down')}
      <Hint>{t('counters.note')}</Hint>
    </DialogFrame>
  );
}
