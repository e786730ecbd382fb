import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { localLink, type Link } from '../connections/link.ts';
import { limitedBody } from '../connections/limited-body.ts';
import type { PanelPlace } from '../supervisor/state.ts';

/** The parts of a panel's job that the shell uses. */
export interface RunningJob {
  title: string;
  state: string;
}

/** The few calls that the shell itself makes to panels. A failed call is not an error. */
export function createPanelCalls(current: () => Link) {
  async function call(link: Link, method: string, path: string): Promise<unknown> {
    const headers = { 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json' };
    const body = method === 'GET' ? null : Readable.from(['{}']);
    const response = await link.forward({ method, path, headers, body, signal: AbortSignal.timeout(10_000) });
    return ((await json(limitedBody(response.body))) as { obj?: unknown }).obj;
  }
  return {
    /** Sends an action to the connected panel. */
    async post(path: string): Promise<void> {
      const link = current();
      // A session (sign-in by password) needs this token; other sign-ins ignore it.
      const token = await call(link, 'GET', '/panel/csrf-token').catch(() => '');
      const headers = {
        'x-requested-with': 'XMLHttpRequest',
        'content-type': 'application/json',
        'x-csrf-token': typeof token === 'string' ? token : '',
      };
      const response = await link
        .forward({ method: 'POST', path, headers, body: Readable.from(['{}']), signal: AbortSignal.timeout(30_000) })
        .catch(() => null);
      if (response?.body instanceof Readable) response.body.resume();
    },
    /** Jobs running in this computer's panel. */
    async local(place: Promise<PanelPlace>): Promise<RunningJob[]> {
      const jobs = await call(
        localLink(() => place),
        'GET',
        '/panel/api/jobs',
      ).catch(() => []);
      return (Array.isArray(jobs) ? (jobs as RunningJob[]) : []).filter(({ state }) => state === 'running');
    },
  };
}
export type PanelCalls = ReturnType<typeof createPanelCalls>;
