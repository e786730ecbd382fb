import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

/** Where a message was on its way. */
export const MailStage = z.enum(['connect', 'auth', 'send']);
export type MailStage = z.output<typeof MailStage>;

export const testSmtp = endpoint({
  method: 'POST',
  path: '/panel/api/setting/testSmtp',
  summary: 'Sends a test message with the stored settings, and says how far it came.',
  result: z.object({
    success: z.boolean(),
    /** Where it stopped; `send` on success. */
    stage: MailStage,
    msg: z.string(),
    /** Why, as a code; empty on success. */
    code: z.string(),
    /** The mail server's own words; empty where it said nothing. */
    answer: z.string(),
  }),
  answer: 'raw',
});
