import type { ApiCall } from '../pages/api-reference/api-document.ts';

/** A call of the API page with nothing to fill in. */
export const CALL: ApiCall = {
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
