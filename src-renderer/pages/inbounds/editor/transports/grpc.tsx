import { SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';

const AT = 'streamSettings.grpcSettings';

/** gRPC. */
export function GrpcFields() {
  return (
    <FieldsGrid>
      <TextAt path={`${AT}.serviceName`} name="serviceName" isAbsentWhenEmpty />
      <TextAt path={`${AT}.authority`} name="authority" isAbsentWhenEmpty />
      <SwitchAt path={`${AT}.multiMode`} name="multiMode" />
    </FieldsGrid>
  );
}
