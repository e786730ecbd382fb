import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import type { ApiCall } from './api-document.ts';
import { CallSamples } from './call-samples.tsx';

const CALL: ApiCall = {
  id: 'status',
  group: 'server',
  method: 'GET',
  path: '/panel/api/server/status',
  summary: '',
  parameters: [],
  body: null,
  example: undefined,
  result: null,
  isEnvelope: true,
  isFile: false,
  upload: null,
};

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

it('calls the panel of the window at its own address', async () => {
  const list = async () => [{ isCurrent: true, address: 'https://far.example:2053/base/' }];
  Object.assign(globalThis, { desktop: { connections: { list } } });
  await renderPage(<CallSamples call={CALL} schemas={{}} example="" />, {});
  await expect
    .poll(() => document.querySelector('pre')?.textContent)
    .toContain('https://far.example:2053/base/panel/api/server/status');
});
