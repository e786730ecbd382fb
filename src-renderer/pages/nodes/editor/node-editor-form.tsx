import { Drawer, Stack } from '@mantine/core';
import { Failure } from '../../../ui/notices/failure.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addNode, updateNode, type Node } from '#contract/nodes';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useFormConflict } from '../../../forms/conflict/use-form-conflict.ts';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { useWireForm } from '../../../forms/use-wire-form.ts';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { CallError } from '../../../api/transport.ts';
import { SaveFooter } from '../../../ui/layout/save-footer.tsx';
import { NodeConflict } from './node-conflict.tsx';
import { NodeFields } from './node-fields.tsx';
import { NodeFormSchema, toForm, toWire, type NodeForm } from './node-form.ts';
import { lastErrorWords } from '../node-refusal-words.ts';
import { NodeTrial } from './node-trial.tsx';
import { OutboundField } from './outbound-field.tsx';
import { SyncFields } from './sync-fields.tsx';
import { TrustFields } from './trust-fields.tsx';

interface NodeEditorFormProps {
  stored: Node | null;
  readAgain: () => Promise<Node | null | undefined>;
  initial: NodeForm;
  onClose: () => void;
}

/** A node's address, trust and inbounds, with a test before anything is stored. @param stored null adds one */
export function NodeEditorForm({ stored, readAgain, initial, onClose }: NodeEditorFormProps) {
  const { t } = useTranslation('nodes');
  const add = useChange(addNode, [keys.nodes]);
  const update = useChange(updateNode, [keys.nodes]);
  const form = useWireForm<NodeForm>(NodeFormSchema, initial);
  const [found, setFound] = useState<readonly string[]>([]);
  const { errors, isDirty, isSubmitting } = form.formState;
  const conflict = useFormConflict({ stored, readAgain, form, toForm });
  const handleClose = useLeaveGuard(isDirty, onClose);

  async function save(values: NodeForm): Promise<void> {
    const body = toWire(values, stored);
    if (stored !== null) {
      await update.mutateAsync({ params: { id: String(stored.id) }, body });
      return announceDone(t('saved', { name: values.name }));
    }
    const { status, name, ...rest } = await add.mutateAsync({ body });
    const error = lastErrorWords(rest);
    if (status === 'online') announceDone(t('added', { name }));
    else announceFailure(new CallError('refused', t('addedOffline', { name, error })));
  }
  const handleSave = form.handleSubmit(async (values) => {
    if (!(await conflict.isCurrent())) return;
    if (await form.attempt(() => save(values))) onClose();
  });
  return (
    <Drawer opened onClose={handleClose} title={t(stored === null ? 'add' : 'edit')}>
      <form onSubmit={(event) => void handleSave(event)} noValidate>
        <Stack>
          <FormFields isSaving={form.isSaving}>
            <NodeFields form={form} hasToken={stored?.hasApiToken === true} />
            <OutboundField form={form} />
            <TrustFields form={form} />
            <NodeTrial form={form} stored={stored} onFound={setFound} />
            <SyncFields form={form} found={found} />
          </FormFields>
          <NodeConflict conflict={conflict} />
          <Failure error={errors.root} />
          <SaveFooter isSaving={isSubmitting} onCancel={handleClose} />
        </Stack>
      </form>
    </Drawer>
  );
}
