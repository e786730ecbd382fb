import { expect, test } from 'vitest';
import { coreEnvironment } from './child-env.ts';

test('the core sees what it needs and no secret of the panel', () => {
  const own = {
    PATH: '/bin',
    Temp: 'C:\\t',
    PANEL_TOKEN: 'secret',
    HTTP_PROXY: 'http://127.0.0.1:1',
    XRAY_BUF_SPLICE: 'disable',
    XRAY_LOCATION_CONFDIR: '/etc/xray',
    'xray.location.asset': '/elsewhere',
    XRAY_JSON_STRICT: 'false',
  };
  expect(coreEnvironment(own, { assetDir: '/d/core', certDir: '/d/cert' })).toEqual({
    PATH: '/bin',
    Temp: 'C:\\t',
    XRAY_BUF_SPLICE: 'disable',
    XRAY_LOCATION_ASSET: '/d/core',
    XRAY_LOCATION_CERT: '/d/cert',
    XRAY_JSON_STRICT: 'true',
  });
});
