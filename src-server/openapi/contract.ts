import * as z from 'zod';
import { endpoint } from '../contract/endpoint.ts';

export const getApiDocument = endpoint('GET', '/panel/api/openapi.json', {
  summary: 'This document, OpenAPI 3.1.',
  result: z.record(z.string(), z.unknown()),
  response: 'raw',
});
