import { useEffect } from 'react';
import { AdjustDialog } from '../bulk/adjust-dialog.tsx';
import { BulkResultDialog } from '../bulk/bulk-result.tsx';
import { GroupChangeDialog } from '../bulk/group-change-dialog.tsx';
import { GivePlanDialog } from '../bulk/give-plan-dialog.tsx';
import { InboundsDialog } from '../bulk/inbounds-dialog.tsx';
import { useActions } from './action-store.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';

/** The dialog of the chosen action, and afterwards what it came to. `groups` are the names to choose from. */
export function ClientActions({ groups }: { groups: readonly string[] }) {
  return (
    <>
      <OpenDialog groups={groups} />
      <BulkResultDialog />
    </>
  );
}

function OpenDialog({ groups }: { groups: readonly string[] }) {
  const dialog = useActions((state) => state.dialog);
  const onClose = useActions((state) => state.close);
  // Left with its page, by the browser's Back: the next page opens none.
  useEffect(() => onClose, [onClose]);
  if (dialog === null) return null;
  const { action, emails, onDone } = dialog;
  switch (action) {
    case 'adjust':
      return <AdjustDialog emails={emails} onClose={onClose} />;
    case 'group':
      return <GroupChangeDialog emails={emails} groups={groups} onClose={onClose} />;
    case 'plan':
      return <GivePlanDialog emails={emails} onClose={onClose} />;
    case 'attach':
    case 'detach':
      return <InboundsDialog action={action} emails={emails} onClose={onClose} />;
    case 'disable':
      return <DisableDialog emails={emails} onClose={onClose} />;
    case 'reset':
      return <ResetDialog emails={emails} onClose={onClose} />;
    default:
      return <DeleteDialog emails={emails} onClose={onClose} onDone={onDone} />;
  }
}
