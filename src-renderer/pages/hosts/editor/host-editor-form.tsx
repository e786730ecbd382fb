import { Alert, Drawer, Stack } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { addHost, bulkAddHosts, updateHost, updateHostGroup, type Host, type HostGroup } from '#contract/hosts';
import type { InboundOption } from '#contract/inbounds';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { FormConflict } from '../../../forms/conflict/form-conflict.tsx';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useFormConflict } from '../../../forms/conflict/use-form-conflict.ts';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { useWireForm } from '../../../forms/use-wire-form.ts';
import { announceDone } from '../../../ui/notices/announce.ts';
import { SaveFooter } from '../../../ui/layout/save-footer.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';
import { HostFields } from './host-fields.tsx';
import { HostForm, rowCount, toContent, toForm } from './host-form.ts';
import { HostPlace } from './host-place.tsx';
import { HostPreview } from './host-preview.tsx';

interface HostEditorFormProps {
  title: string;
  stored: Host | HostGroup | null;
  readAgain: () => Promise<Host | HostGroup | null | undefined>;
  isGroup: boolean;
  initial: HostForm;
  inbounds: readonly InboundOption[];
  onClose: () => void;
}

const ROOTS = [keys.hosts, keys.inbounds];

/** One host or a group of them, with a preview of the link. */
export function HostEditorForm(props: HostEditorFormProps) {
  const { title, stored, readAgain, isGroup, initial, inbounds, onClose } = props;
  const { t } = useTranslation('hosts');
  const add = useChange(addHost, ROOTS);
  const update = useChange(updateHost, ROOTS);
  const addMany = useChange(bulkAddHosts, ROOTS);
  const updateMany = useChange(updateHostGroup, ROOTS);
  const form = useWireForm(HostForm, initial);
  const { errors, isDirty, isSubmitting } = form.formState;
  const conflict = useFormConflict({ stored, readAgain, form, toForm });
  const handleClose = useLeaveGuard(isDirty, onClose);
  const values = useWatch({ control: form.control }) as HostForm;

  function save(sent: HostForm): Promise<unknown> {
    const content = toContent(sent, conflict.base);
    const { port, address, hosts } = sent;
    const inboundIds = sent.inboundIds.map(Number);
    if (isGroup) {
      const body = { ...content, inboundIds, hosts, port };
      if (stored === null) return addMany.mutateAsync({ body });
      return updateMany.mutateAsync({ params: { groupId: stored.groupId }, body });
    }
    const body = { ...content, address, port };
    if (stored !== null && 'id' in stored) return update.mutateAsync({ params: { id: String(stored.id) }, body });
    return add.mutateAsync({ body: { ...body, inboundId: inboundIds[0] ?? 0 } });
  }
  const handleSave = form.handleSubmit(async (sent) => {
    if (!(await conflict.isCurrent())) return;
    if (!(await form.attempt(() => save(sent)))) return;
    announceDone(t('saved', { name: sent.remark }));
    onClose();
  });
  const count = rowCount(values);
  return (
    <Drawer opened onClose={handleClose} size="xl" title={title}>
      <form onSubmit={(event) => void handleSave(event)} noValidate>
        <Stack>
          <FormFields isSaving={form.isSaving}>
            <HostPlace form={form} inbounds={inbounds} isGroup={isGroup} isInboundFixed={stored !== null && !isGroup} />
            <HostPreview values={values} isGroup={isGroup} stored={stored} />
            <HostFields
              form={form}
              inboundPort={portOf(inbounds.find(({ id }) => String(id) === values.inboundIds[0]))}
            />
            {isGroup && (
              <Alert color="blue" variant="outline">
                {t('group.count', { count })}
              </Alert>
            )}
          </FormFields>
          <FormConflict
            title={t('conflict.title')}
            conflict={conflict}
            labelOf={(name) => t(`field.${name === 'inboundIds' ? 'inbounds' : name}`)}
          />
          <Failure error={errors.root} />
          <SaveFooter isSaving={isSubmitting} onCancel={handleClose} />
        </Stack>
      </form>
    </Drawer>
  );
}

/** The port of an inbound; 0 when only its own machine reaches it there, behind another inbound. */
const portOf = (inbound: InboundOption | undefined): number =>
  inbound === undefined || /^(?:[/@]|127\.|::1$|localhost$)/.test(inbound.listen) ? 0 : inbound.port;
