import { SwitchAt, TextAt } from '../parts/fields.tsx';

/** Fields that WebSocket and HTTP upgrade share. */
export function WebPath({ at }: { at: string }) {
  return (
    <>
      <TextAt path={`${at}.path`} name="path" placeholder="/" isAbsentWhenEmpty />
      <TextAt path={`${at}.host`} name="host" hint="host" isAbsentWhenEmpty />
      <SwitchAt path={`${at}.acceptProxyProtocol`} name="acceptProxyProtocol" hint="acceptProxyProtocol" />
    </>
  );
}
