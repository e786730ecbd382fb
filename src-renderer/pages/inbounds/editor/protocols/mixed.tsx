import { useTextAt, useValueAt } from '../parts/draft-context.tsx';
import { ChoiceAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { Accounts } from './accounts.tsx';

/** SOCKS and HTTP on one port. */
export function MixedFields() {
  const hasUdp = useValueAt('settings.udp') === true;
  const auth = useTextAt('settings.auth');
  return (
    <>
      <FieldsGrid>
        <ChoiceAt path="settings.auth" name="auth" options={['password', 'noauth']} />
        {hasUdp && <TextAt path="settings.ip" name="udpAddress" placeholder="127.0.0.1" isAbsentWhenEmpty />}
        <SwitchAt path="settings.udp" name="udp" />
      </FieldsGrid>
      {auth !== 'noauth' && <Accounts />}
    </>
  );
}
