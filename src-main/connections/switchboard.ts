import { json } from 'node:stream/consumers';
import type { ConnectionView, Reach } from '../bridge/contract.ts';
import type { PageResponse, PageRequest } from '../protocol/exchange.ts';
import { certificateTrouble } from './checked-agent.ts';
import { LOCAL } from './connection.ts';
import { remoteLink, type Link } from './link.ts';
import { ownPageCalls } from './own-page-calls.ts';
import { limitedBody } from './limited-body.ts';
import type { ConnectionStore } from './store.ts';

const REACH_LIMIT_MS = 8_000;
const PROBE = '/panel/api/server/status';

/** The panel the window is connected to, and the links to all others. */
export function createSwitchboard(deps: {
  store: ConnectionStore;
  local: Link;
  clock: () => number;
  onChange: (link: Link, id: string) => void;
  /** An admin signed in to or out of the window's panel. */
  onSession: () => void;
  /** A session began or ended, and is stored. */
  onStored: () => void;
}) {
  const { store, local, clock } = deps;
  let link = local;
  let forward = ownPageCalls(local);
  let currentId = LOCAL;

  async function openLink(id: string): Promise<Link> {
    if (id === LOCAL) return local;
    const saved = store.find(id);
    if (saved === undefined) throw new Error('this connection is not known any more');
    const secrets = await store.secrets(id);
    let session = secrets.cookies?.['panel_session'];
    return remoteLink(saved, secrets, (cookies) => {
      const storing = store.storeCookies(id, cookies);
      // A visitor's cookie changes nothing for the live stream.
      if (cookies['panel_session'] === session) return;
      session = cookies['panel_session'];
      void storing.then(() => deps.onStored());
      if (id === currentId) deps.onSession();
    });
  }

  return {
    get currentId(): string {
      return currentId;
    },
    current: (): Link => link,
    /** Sends a call of the window's page to the panel that the page was loaded for, and to no other. */
    forward: (request: PageRequest): Promise<PageResponse> => forward(request),
    /** Connects the window to another panel. @throws {Error} when there is no such connection */
    async use(id: string): Promise<void> {
      const next = await openLink(id);
      const before = link;
      link = next;
      forward = ownPageCalls(next);
      currentId = id;
      if (before !== next) before.close();
      deps.onChange(next, id);
      // On a full disk only this moment is lost: the window is at the other panel already.
      await store.markUsed(id).catch(() => undefined);
    },
    views(localName: string, localAddress: string): ConnectionView[] {
      const here: ConnectionView = {
        id: LOCAL,
        name: localName,
        color: 'blue',
        address: localAddress,
        signIn: 'session',
        trust: { mode: 'verify' },
        isCurrent: currentId === LOCAL,
        lastUsedAtMs: 0,
      };
      return [here, ...store.list().map((saved) => ({ ...saved, isCurrent: saved.id === currentId }))];
    },
    /** Probes a panel, without disturbing the current one. */
    async reach(id: string): Promise<Reach> {
      const startedAtMs = clock();
      const probed = id === currentId ? link : await openLink(id);
      try {
        return { ...(await probe(probed)), ms: clock() - startedAtMs };
      } finally {
        if (probed !== link && probed !== local) probed.close();
      }
    },
    close: (): void => link.close(),
  };
}
export type Switchboard = ReturnType<typeof createSwitchboard>;

async function probe(link: Link): Promise<Omit<Reach, 'ms'>> {
  const request: PageRequest = {
    method: 'GET',
    path: PROBE,
    headers: { 'x-requested-with': 'XMLHttpRequest' },
    body: null,
    signal: AbortSignal.timeout(REACH_LIMIT_MS),
  };
  try {
    const response = await link.forward(request);
    return await readProbe(response);
  } catch (error) {
    return { state: certificateTrouble(error) ?? 'unreachable', version: '', detail: (error as Error).message };
  }
}

/** A panel that asks for a sign-in is reachable; the shape of its response shows whether it is a panel at all. */
async function readProbe({ status, body }: PageResponse): Promise<Omit<Reach, 'ms'>> {
  const envelope = (await json(limitedBody(body)).catch(() => null)) as { obj?: { panelVersion?: string } } | null;
  if (status === 200 && typeof envelope?.obj?.panelVersion === 'string')
    return { state: 'ok', version: envelope.obj.panelVersion, detail: '' };
  if (status === 401) return { state: 'refused', version: '', detail: '' };
  return { state: 'wrong', version: '', detail: `HTTP ${status}` };
}
