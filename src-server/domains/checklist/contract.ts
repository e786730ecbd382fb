import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/checklist';

/** Steps that make a new panel safe to run unattended, in display order. */
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
  /** Name of the check. */
  name: CheckName,
  /** Whether the check passes; that of the firewall only while no port has to be reachable. */
  isDone: z.boolean(),
  /** Whether an admin dismissed it. */
  isDismissed: z.boolean(),
  /** Values for its text, such as ports or a version. */
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
    /** Name of the check. */
    name: CheckName,
    /** `true` dismisses it, `false` restores it. */
    dismissed: z.boolean(),
  }),
  encoding: 'json',
  result: z.null(),
});
