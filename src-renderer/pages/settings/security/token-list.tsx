import { ActionIcon, Button, Switch, Table, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  deleteApiToken,
  listApiTokens,
  setApiTokenEnabled,
  type ApiTokenView,
  type CreatedApiToken,
} from '#contract/tokens';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { useStepUp } from '../../../app/account/use-step-up.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { CreateToken } from './create-token.tsx';
import { TokenShown } from './token-shown.tsx';

/** API tokens: created here with the value shown once, disabled and deleted. */
export function TokenList() {
  const { t } = useTranslation(['settings', 'words']);
  const tokens = useRead(listApiTokens, {}, [...keys.settings, 'tokens']);
  const dialog = useDialogParam('token');
  const [created, setCreated] = useState<CreatedApiToken | null>(null);
  const handleCreated = (token: CreatedApiToken): void => {
    dialog.close();
    setCreated(token);
  };
  return (
    <TitledCard
      title={t('tokens.title')}
      actions={<Button onClick={() => dialog.open('new')}>{t('tokens.add')}</Button>}
    >
      <Text size="sm">{t('tokens.text')}</Text>
      <QueryView query={tokens} empty={<EmptyState text={t('tokens.none')} />}>
        {(rows) => (
          <CardTable
            minWidth={440}
            columns={[t('words:name'), t('tokens.created'), t('tokens.enabled')]}
            actions={t('words:actions')}
          >
            {rows.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </CardTable>
        )}
      </QueryView>
      {dialog.value === 'new' && <CreateToken onCreated={handleCreated} onClose={dialog.close} />}
      {created !== null && <TokenShown token={created} onStored={() => setCreated(null)} />}
    </TitledCard>
  );
}

function TokenRow({ token }: { token: ApiTokenView }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { prove, dialog } = useStepUp();
  const toggle = useChange(setApiTokenEnabled, [keys.settings]);
  const remove = useChange(deleteApiToken, [keys.settings]);
  const { name } = token;
  const params = { id: String(token.id) };
  const handleToggle = (enabled: boolean): void => {
    prove((proof) => toggle.mutateAsync({ params, body: { enabled, ...proof } })).catch(announceFailure);
  };
  const handleDelete = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('tokens.deleteTitle', { name }),
      text: t('tokens.deleteText'),
      action: t('tokens.delete'),
    });
    if (isSure) prove((proof) => remove.mutateAsync({ params, body: proof })).catch(announceFailure);
  };
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <bdi>{name}</bdi>
        {dialog}
      </Table.Th>
      <Table.Td data-label={t('tokens.created')}>{format.dateTime(token.createdAt)}</Table.Td>
      <Table.Td data-label={t('tokens.enabled')}>
        <Switch
          aria-label={t('tokens.toggle', { name })}
          checked={token.enabled}
          onChange={(event) => handleToggle(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td ta="end">
        <ActionIcon
          variant="subtle"
          color="red"
          size={36}
          aria-label={t('tokens.deleteNamed', { name })}
          onClick={() => void handleDelete()}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}
