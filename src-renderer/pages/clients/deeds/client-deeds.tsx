import { AdjustDialog } from '../adjust-dialog.tsx';
import { BulkResultDialog } from '../bulk-result.tsx';
import { GroupChangeDialog } from '../group-change-dialog.tsx';
import { InboundsDialog } from '../inbounds-dialog.tsx';
import { useDeeds } from './deed-store.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';

/** The dialog of the deed that is asked about, and afterwards what it came to. `groups` are the names to choose from. */
export function ClientDeeds({ groups }: { groups: readonly string[] }) {
  return (
    <>
      <AskedDialog groups={groups} />
      <BulkResultDialog />
    </>
  );
}

function AskedDialog({ groups }: { groups: readonly string[] }) {
  const asked = useDeeds((state) => state.asked);
  const onClose = useDeeds((state) => state.close);
  if (asked === null) return null;
  const { deed, emails, onDone } = asked;
  switch (deed) {
    case 'adjust':
      return <AdjustDialog emails={emails} onClose={onClose} />;
    case 'group':
      return <GroupChangeDialog emails={emails} groups={groups} onClose={onClose} />;
    case 'attach':
    case 'detach':
      return <InboundsDialog deed={deed} emails={emails} onClose={onClose} />;
    case 'disable':
      return <DisableDialog emails={emails} onClose={onClose} />;
    case 'reset':
      return <ResetDialog emails={emails} onClose={onClose} />;
    default:
      return <DeleteDialog emails={emails} onClose={onClose} onDone={onDone} />;
  }
}
