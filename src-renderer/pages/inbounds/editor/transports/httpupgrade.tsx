import { FieldsGrid } from '../parts/fields-grid.tsx';
import { PairsAt } from '../parts/pairs-at.tsx';
import { WebPath } from './web-path.tsx';

const AT = 'streamSettings.httpupgradeSettings';

/** HTTP upgrade: WebSocket's handshake without its frames. */
export function HttpUpgradeFields() {
  return (
    <>
      <FieldsGrid>
        <WebPath at={AT} />
      </FieldsGrid>
      <PairsAt path={`${AT}.headers`} name="headers" />
    </>
  );
}
