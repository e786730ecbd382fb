import { Button, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../../ui/notices/failure.tsx';
import { useTranslation } from 'react-i18next';
import type { Node } from '#contract/nodes';
import { confirmNodePlan, listNodePlans, takeBackNodePlan, type NodePlan } from '#contract/nodes/plans';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { announceDone } from '../../ui/notices/announce.ts';
import { DialogFooter } from '../../ui/layout/dialog-footer.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';

interface PlanDialogProps {
  nodeId: number;
  name: string;
  kind: NodePlan['kind'];
  /** Where edits are only shown, nothing comes back from the node by itself. */
  edits: Node['remoteEdits'];
  onClose: () => void;
}

/** Every inbound and client of a plan by name, with buttons to approve or reject it. */
export function PlanDialog({ nodeId, name, kind, edits, onClose }: PlanDialogProps) {
  const { t } = useTranslation('nodes');
  const params = { id: String(nodeId) };
  const plans = useRead(listNodePlans, { params }, [...keys.nodes, 'plans', nodeId]);
  const found = (rows: readonly NodePlan[] | undefined): NodePlan | undefined =>
    rows?.find((each) => each.kind === kind);
  // As first read: live changes do not exchange the list under the reader, who decides about this one.
  const [read, setRead] = useState<NodePlan>();
  const present = found(plans.data);
  if (read === undefined && present !== undefined) setRead(present);
  const changed = [keys.nodes, keys.clients, keys.inbounds];
  const confirm = useChange(confirmNodePlan, changed);
  const takeBack = useChange(takeBackNodePlan, changed);
  const isOnlyShown = kind === 'delete' && edits === 'show';
  const failure = confirm.error ?? takeBack.error;
  const announceAndClose = (message: string) => ({
    onSuccess: () => {
      announceDone(message);
      onClose();
    },
    // Most often the plan has changed.
    onError: async () => setRead(found((await plans.refetch()).data)),
  });
  return (
    <Modal opened onClose={onClose} title={t(`plan.${kind}.dialog`, { name })}>
      <QueryView query={plans}>
        {() => {
          const plan = read ?? present;
          if (plan === undefined) return <Text>{t('plan.gone')}</Text>;
          const body = { digest: plan.digest };
          return (
            <Stack>
              <Text size="sm">{t(isOnlyShown ? 'plan.delete.meaningShown' : `plan.${kind}.meaning`)}</Text>
              <Names label={t('plan.inbounds')} names={plan.inbounds.map(({ tag }) => tag)} />
              <Names label={t('plan.clients')} names={plan.clients} />
              <Failure error={failure} />
              <DialogFooter>
                {kind === 'delete' && (
                  <Button
                    variant="default"
                    loading={takeBack.isPending}
                    disabled={confirm.isPending}
                    onClick={() =>
                      takeBack.mutate(
                        { params, body },
                        announceAndClose(
                          t(isOnlyShown ? 'plan.delete.takenBackShown' : 'plan.delete.takenBack', { name }),
                        ),
                      )
                    }
                  >
                    {t('plan.delete.takeBack')}
                  </Button>
                )}
                <Button
                  {...(kind === 'delete' ? { color: 'red.9' } : {})}
                  loading={confirm.isPending}
                  disabled={takeBack.isPending}
                  onClick={() => confirm.mutate({ params, body }, announceAndClose(t(`plan.${kind}.done`, { name })))}
                >
                  {t(`plan.${kind}.action`)}
                </Button>
              </DialogFooter>
            </Stack>
          );
        }}
      </QueryView>
    </Modal>
  );
}

/** All of them, however many, so that they can be read, searched and copied. */
function Names({ label, names }: { label: string; names: readonly string[] }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  if (names.length === 0) return null;
  return (
    <Textarea
      label={t('plan.names', { what: label, count: format.number(names.length) })}
      value={names.join('\n')}
      dir="auto"
      readOnly
      rows={Math.min(names.length, 8)}
    />
  );
}
