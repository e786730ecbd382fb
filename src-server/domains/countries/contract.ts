import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

export const countriesOf = endpoint('POST', '/panel/api/server/countries', {
  onStandby: 'answers',
  summary: "Countries of addresses, by the lists of the panel's own geoip.dat; nothing is asked elsewhere",
  body: z.object({
    /** Addresses, or host names that the panel has dialled since its start. */
    addresses: z.array(z.string().max(256)).max(1_000),
  }),
  /** ISO 3166 alpha-2 code by address; unknown ones are absent. */
  result: z.record(z.string(), z.string()),
});
