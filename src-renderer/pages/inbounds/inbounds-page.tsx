import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listSlimInbounds } from '#contract/inbounds';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useDialogParam } from '../../ui/use-dialog-param.ts';
import { InboundTable } from './inbound-table.tsx';
import { RecipeDialog } from './recipe-dialog.tsx';

/** Where clients come in. */
export function InboundsPage() {
  const { t } = useTranslation('inbounds');
  const call = useCall();
  const inbounds = useQuery({
    queryKey: [...keys.inbounds, 'slim'],
    queryFn: ({ signal }) => call(listSlimInbounds, {}, signal),
  });
  const dialog = useDialogParam('inbound');
  const add = <Button onClick={() => dialog.open('new')}>{t('add')}</Button>;
  return (
    <Page title={t('title')} actions={add}>
      <QueryView query={inbounds} empty={<EmptyState text={t('none')} />}>
        {(rows) => <InboundTable rows={rows} />}
      </QueryView>
      {dialog.value === 'new' && <RecipeDialog onClose={dialog.close} />}
    </Page>
  );
}
