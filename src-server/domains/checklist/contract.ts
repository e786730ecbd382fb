import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/checklist';

/** What makes a new panel safe to leave alone, in the order in which it is shown. */
export const CHECKS = [
  'https',
  'twoFactor',
  'publicAddress',
  'firewall',
  'backups',
  'certificates',
  'core',
  'ports',
] as const;
export const CheckName = z.enum(CHECKS);
export type CheckName = z.output<typeof CheckName>;

export const Check = z.object({
  /** Name of the point. */
  name: CheckName,
  /** Whether it was found to be so; what the panel cannot see for itself never is. */
  isDone: z.boolean(),
  /** Whether it was put away by hand. */
  isDismissed: z.boolean(),
  /** What its words are filled with, such as ports or a version. */
  facts: z.record(z.string(), z.string()),
});
export type Check = z.output<typeof Check>;

export const getChecklist = endpoint('GET', `${BASE}/list`, {
  summary: 'What a panel needs before it is left alone, and what of it is done or was put away.',
  result: z.array(Check),
});

export const dismissCheck = endpoint('POST', `${BASE}/dismiss`, {
  summary: 'Puts a point of the checklist away, or back.',
  body: z.object({
    /** Name of the point. */
    name: CheckName,
    /** `true` puts it away, `false` back. */
    dismissed: z.boolean(),
  }),
  encoding: 'json',
  result: z.null(),
});
