import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { TwoFactorOff } from './two-factor-off.tsx';
import { TwoFactorSetUp } from './two-factor-set-up.tsx';

/** Whether sign-in asks for a code, with a button to change that. */
export function TwoFactor({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('settings');
  const dialog = useDialogParam('twoFactor');
  return (
    <TitledCard
      title={t('field.twoFactorEnable')}
      actions={
        <Button variant={isOn ? 'default' : 'filled'} onClick={() => dialog.open(isOn ? 'off' : 'on')}>
          {isOn ? t('twoFactor.turnOff') : t('twoFactor.setUp')}
        </Button>
      }
    >
      <Text size="sm">{isOn ? t('twoFactor.isOn') : t('twoFactor.isOff')}</Text>
      {dialog.value === 'on' && !isOn && <TwoFactorSetUp onClose={dialog.close} />}
      {dialog.value === 'off' && isOn && <TwoFactorOff onClose={dialog.close} />}
    </TitledCard>
  );
}
