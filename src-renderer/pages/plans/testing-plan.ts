import type { Plan } from '#contract/plans';

/** A plan as the server lists it. */
export const planRow = (differing: Partial<Plan> = {}): Plan => ({
  id: 3,
  name: 'Gold',
  quotaBytes: 0,
  days: 30,
  startsAtFirstUse: false,
  reset: 0,
  resetDay: 0,
  limitIp: 0,
  group: '',
  flow: '',
  inboundIds: [],
  clientCount: 0,
  ...differing,
});
