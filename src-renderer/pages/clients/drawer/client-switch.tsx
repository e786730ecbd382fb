import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useActions } from '../actions/action-store.ts';
import { useSwitchClients } from '../actions/use-switch-clients.ts';

/** Lets a client connect, or not. Off asks first what becomes of open connections; both can be taken back. */
export function ClientSwitch({ email, isEnabled }: { email: string; isEnabled: boolean }) {
  const { t } = useTranslation('clients');
  const openDialog = useActions((state) => state.openDialog);
  const { enable, isBusy } = useSwitchClients();
  return (
    <Switch
      label={t('form.enable')}
      checked={isEnabled}
      disabled={isBusy}
      onChange={({ currentTarget }) => (currentTarget.checked ? enable([email]) : openDialog('disable', [email]))}
    />
  );
}
