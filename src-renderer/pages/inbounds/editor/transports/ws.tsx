import { NumberAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { PairsAt } from '../parts/pairs-at.tsx';
import { WebPath } from './web-path.tsx';

const AT = 'streamSettings.wsSettings';

/** WebSocket. */
export function WsFields() {
  return (
    <>
      <FieldsGrid>
        <WebPath at={AT} />
        <NumberAt path={`${AT}.heartbeatPeriod`} name="heartbeatPeriod" hint="seconds" />
      </FieldsGrid>
      <PairsAt path={`${AT}.headers`} name="headers" />
    </>
  );
}
