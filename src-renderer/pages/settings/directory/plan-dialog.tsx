import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { Failure } from '../../../ui/notices/failure.tsx';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { applyDirectory, planDirectory, type DirectoryPlan } from '#contract/directory';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useChange } from '../../../api/use-change.ts';
import { announceDone } from '../../../ui/notices/announce.ts';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { SaveWaits, useSaveWaits } from '../../../ui/notices/save-waits.tsx';
import { PLAN_LISTS, PlanLists, UnknownTags } from './plan-lists.tsx';

/** What a run would change now, and a button to make exactly those changes. */
export function DirectoryPlanDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const call = useCall();
  const plan = useQuery({
    // It reads the whole directory, and stays what was read here: changes of settings do not make another.
    queryKey: ['directoryPlan'],
    queryFn: () => call(planDirectory, {}),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <Modal opened size="lg" onClose={onClose} title={t('directory.planTitle')}>
      <QueryView query={plan}>
        {(found) => <Confirmable plan={found} onChanged={() => void plan.refetch()} onClose={onClose} />}
      </QueryView>
    </Modal>
  );
}

interface ConfirmableProps {
  plan: DirectoryPlan;
  /** The directory has changed since this plan was made. */
  onChanged: () => void;
  onClose: () => void;
}

function Confirmable({ plan, onChanged, onClose }: ConfirmableProps) {
  const { t } = useTranslation(['settings', 'words']);
  const apply = useChange(applyDirectory, [keys.settings, keys.clients, keys.inbounds]);
  const isWaiting = useSaveWaits();
  const count = PLAN_LISTS.reduce((sum, name) => sum + plan[name].length, 0);
  const takesAway = plan.disable.length + plan.detach.length > 0;
  const handleConfirm = (): void =>
    apply.mutate(
      { body: { id: plan.id } },
      {
        onSuccess: () => {
          announceDone(t('directory.applied'));
          onClose();
        },
        onError: onChanged,
      },
    );
  return (
    <Stack>
      <Failure error={apply.error} />
      {plan.heldFor !== null && <Alert color="yellow">{t(`directory.heldFor.${plan.heldFor}`)}</Alert>}
      <Text size="sm">{t('directory.entries', { count: plan.entries })}</Text>
      <UnknownTags tags={plan.unknownTags} />
      <PlanLists plan={plan} />
      <DialogFooter note={<SaveWaits />} onCancel={onClose}>
        <Button
          {...(takesAway ? { color: 'red.9' } : {})}
          loading={apply.isPending}
          disabled={isWaiting}
          onClick={handleConfirm}
        >
          {count === 0 ? t('words:confirm') : t('directory.confirm', { count })}
        </Button>
      </DialogFooter>
    </Stack>
  );
}
