import { expect, it, vi } from 'vitest';
import type { VerbRequest } from '../../bridge/jobs.ts';
import { createJobList } from '../jobs/job-list.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { createVerbs } from './verbs.ts';

const status = { core: { state: 'running', version: '1' }, panelVersion: '1' };

/** A panel whose installation ends in this way once it is cancelled. */
function panel(end: 'cancelled' | 'done') {
  let state = 'running';
  const posted: string[] = [];
  const calls = {
    link: {
      forward: async () => ({
        status: 200,
        headers: {},
        body: Buffer.from(JSON.stringify({ success: true, obj: status })),
      }),
    },
    get: async () => ({ state, error: '' }),
    async post(path: string) {
      posted.push(path.split('/').at(-1)!);
      if (path.endsWith('/cancel')) state = end;
      return { jobId: 'j' };
    },
    close: () => undefined,
  } as unknown as PanelCalls;
  return { calls, posted };
}

it.each(['cancelled', 'done'] as const)(
  'an update of a core that is stopped says how it ended there: %s',
  async (end) => {
    const { calls, posted } = panel(end);
    const verbs = createVerbs(
      createJobList(() => undefined),
      () => calls,
      async () => undefined,
    );
    const request: VerbRequest = {
      verb: 'updateCore',
      panelIds: ['a'],
      emails: [],
      addDays: 0,
      addBytes: 0,
      version: 'v2',
    };
    const id = verbs.plan(request);
    await vi.waitUntil(() => verbs.view(id).result?.[0]?.state === 'waiting');
    verbs.run(id);
    await vi.waitUntil(() => posted.length > 0);
    verbs.cancel(id);
    await vi.waitUntil(() => verbs.view(id).state !== 'running', 5_000);
    expect(verbs.view(id).result).toMatchObject([{ state: end }]);
    expect(posted).toEqual(['v2', 'cancel']);
  },
);
