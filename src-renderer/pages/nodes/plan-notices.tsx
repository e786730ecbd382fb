import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Node } from '#contract/nodes';
import { PlanDialog } from './plan-dialog.tsx';

/** Plans: large changes on a node that wait for the operator's approval. */
export function PlanNotices({ node: { id, name, plans, remoteEdits } }: { node: Node }) {
  const { t } = useTranslation('nodes');
  const [shown, setShown] = useState<Node['plans'][number]['kind'] | null>(null);
  return (
    <>
      {plans.map(({ kind, inboundCount, clientCount }) => (
        <Alert key={kind} color="yellow" role="note" title={t(`plan.${kind}.title`)}>
          {t(`plan.${kind}.text`, { inbounds: inboundCount, clients: clientCount })}
          <Group mt="xs">
            <Button size="xs" onClick={() => setShown(kind)}>
              {t('plan.look')}
            </Button>
          </Group>
        </Alert>
      ))}
      {shown !== null && (
        <PlanDialog nodeId={id} name={name} kind={shown} edits={remoteEdits} onClose={() => setShown(null)} />
      )}
    </>
  );
}
