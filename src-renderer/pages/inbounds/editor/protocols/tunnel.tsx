import { ChoiceAt, NumberAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { RowsAt } from '../parts/rows-at.tsx';

/** Forwards everything to one address. */
export function TunnelFields() {
  return (
    <>
      <FieldsGrid>
        <TextAt path="settings.rewriteAddress" name="rewriteAddress" isAbsentWhenEmpty />
        <NumberAt path="settings.rewritePort" name="rewritePort" min={1} max={65_535} />
        <ChoiceAt path="settings.allowedNetwork" name="networks" options={['tcp', 'udp', 'tcp,udp']} />
        <SwitchAt path="settings.followRedirect" name="followRedirect" hint="followRedirect" />
      </FieldsGrid>
      <RowsAt path="settings.portMap" name="portMap" fresh={() => ({ name: '', value: '' })}>
        {(path) => (
          <>
            <TextAt path={`${path}.name`} name="port" />
            <TextAt path={`${path}.value`} name="destination" placeholder="example.com:443" />
          </>
        )}
      </RowsAt>
    </>
  );
}
