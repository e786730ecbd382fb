import { NumberAt, SizeAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';

const AT = 'streamSettings.kcpSettings';

/** mKCP over UDP. Empty fields use the core's defaults. */
export function KcpFields() {
  return (
    <FieldsGrid>
      <NumberAt path={`${AT}.mtu`} name="mtu" min={576} max={1460} />
      <NumberAt path={`${AT}.tti`} name="tti" min={10} max={100} hint="milliseconds" />
      <SizeAt path={`${AT}.uplinkCapacity`} name="uplinkCapacity" hint="perSecond" unit="MiB" />
      <SizeAt path={`${AT}.downlinkCapacity`} name="downlinkCapacity" hint="perSecond" unit="MiB" />
      <NumberAt path={`${AT}.cwndMultiplier`} name="cwndMultiplier" min={1} />
      <SizeAt path={`${AT}.maxSendingWindow`} name="maxSendingWindow" hint="coreChoice" />
    </FieldsGrid>
  );
}
