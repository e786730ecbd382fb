import { Suspense, useEffect } from 'react';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { useRowMenu } from './row/row-menu-store.ts';
import { laterDialog, laterMenu } from '../../ui/notices/later.tsx';

const ClientDrawer = laterDialog(async () => (await import('./drawer/client-drawer.tsx')).ClientDrawer);
const LedgerDialog = laterDialog(async () => (await import('./drawer/ledger-dialog.tsx')).LedgerDialog);
const AddManyDialog = laterDialog(async () => (await import('./bulk/add-many-dialog.tsx')).AddManyDialog);
const ImportDialog = laterDialog(async () => (await import('./bulk/import-dialog.tsx')).ImportDialog);
const ClientRowMenu = laterMenu(async () => (await import('./row/client-row-menu.tsx')).ClientRowMenu);
const CodeDialog = laterDialog(async () => (await import('./row/code-dialog.tsx')).CodeDialog);
const AmountsDialog = laterDialog(async () => (await import('./row/amounts-dialog.tsx')).AmountsDialog);
const ClientEditor = laterDialog(async () => (await import('./editor/client-editor.tsx')).ClientEditor);

/** Whatever is open over the list of clients, as the address says. */
export function ClientDialogs({ preferredInbound }: { preferredInbound: number }) {
  const shown = useDialogParam('client');
  const edited = useDialogParam('edit');
  const ledger = useDialogParam('ledger');
  const code = useDialogParam('code');
  const tool = useDialogParam('tool');
  const hasMenu = useRowMenu(({ at }) => at !== null);
  // Left with its page, it is not open on the next visit.
  useEffect(() => useRowMenu.getState().close, []);
  return (
    <Suspense fallback={null}>
      {shown.value !== null && edited.value === null && (
        <ClientDrawer
          email={shown.value}
          onClose={shown.close}
          onEdit={edited.open}
          onCode={code.open}
          onLedger={ledger.open}
          onAmounts={() => tool.open('amounts')}
        />
      )}
      {hasMenu && (
        <ClientRowMenu
          onCode={code.open}
          onEdit={edited.open}
          onLedger={ledger.open}
          onAmounts={() => tool.open('amounts')}
        />
      )}
      {code.value !== null && <CodeDialog email={code.value} onClose={code.close} />}
      {tool.value === 'amounts' && <AmountsDialog onClose={tool.close} />}
      {ledger.value !== null && <LedgerDialog email={ledger.value} onClose={ledger.close} />}
      {tool.value === 'many' && <AddManyDialog onClose={tool.close} />}
      {tool.value === 'import' && <ImportDialog onClose={tool.close} />}
      {edited.value !== null && (
        <ClientEditor
          key={edited.value}
          email={edited.value}
          preferredInbound={preferredInbound}
          onClose={edited.close}
        />
      )}
    </Suspense>
  );
}
