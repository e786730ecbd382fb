import { SwitchAt } from '../parts/fields.tsx';
import { Accounts } from './accounts.tsx';

/** HTTP proxy. */
export function HttpFields() {
  return (
    <>
      <Accounts />
      <SwitchAt path="settings.allowTransparent" name="allowTransparent" />
    </>
  );
}
