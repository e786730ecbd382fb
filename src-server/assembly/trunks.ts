import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DomainError } from '../contract/domain-error.ts';
import { createMasters } from '../domains/nodes/masters/service.ts';
import { normaliseBasePath } from '../http/base-path.ts';
import type { RequestFacts } from '../http/describe-request.ts';
import type { PanelServer } from '../http/listeners/create-http-server.ts';
import { refuse } from '../http/listeners/upgrades.ts';
import type { Listening } from '../net/trunk/messages.ts';
import { createTrunkAcceptor, TRUNK_PATH } from '../net/trunk/trunk-stream.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';

/** Connections that have not proven who they are; a handshake costs an operation with a key. */
const MAX_UNPROVEN = 32;
const MAX_UNPROVEN_PER_ADDRESS = 4;

/**
 * Connections between this panel and those above and below it. The path accepts callers without a sign-in, so each has
 * to name something known here (a ticket, a node, a master) and prove itself inside the connection before anything else
 * is read.
 */
export function openTrunks(base: Foundation, { nodes, dialer }: Engine, panelServer: PanelServer) {
  const { options, closers, store, secrets, settings, schedule, clock, monotonic, log, standby } = base;
  const basePath = normaliseBasePath(settings.current().webBasePath);
  const place = (): Listening => ({
    scheme: panelServer.speaksTls() ? 'https' : 'http',
    // The bound one.
    port: settings.current().webPort,
    basePath,
  });
  /** Where this panel listens from its next start on, if it gets the same command line. */
  function nextPlace(): Listening {
    const { webPort, webBasePath, webCertFile } = settings.stored();
    return {
      scheme: webCertFile === '' ? 'http' : 'https',
      port: options.overrides.webPort === undefined ? webPort : place().port,
      basePath: normaliseBasePath(webBasePath),
    };
  }
  const masters = createMasters({
    store,
    secrets,
    dialer,
    serve: (connection, fingerprint) => panelServer.takeConnection(connection, fingerprint),
    place,
    schedule,
    clock,
    monotonic,
    log,
  });
  const accept = createTrunkAcceptor(schedule);
  const unproven = new Map<string, number>();
  const streams = new Set<Duplex>();

  /** Counts a caller until it has proven itself or failed to. */
  async function counted(address: string, work: () => Promise<void>): Promise<void> {
    unproven.set(address, (unproven.get(address) ?? 0) + 1);
    try {
      await work();
    } catch (error) {
      log.warn('trunk.refused', { address, error });
    } finally {
      const left = (unproven.get(address) ?? 1) - 1;
      if (left === 0) unproven.delete(address);
      else unproven.set(address, left);
    }
  }

  /** The handler for the caller's purpose; a refusal when it has none. */
  async function purposeOf(params: URLSearchParams, applicant: { address: string; dateMs: number | null }) {
    const [ticket, node, to] = [params.get('ticket'), params.get('node'), params.get('to')];
    if (ticket !== null) {
      const refusal = await nodes.enrolments.refusal(ticket, applicant);
      return refusal ?? ((stream: Duplex) => nodes.enrolments.admit(ticket, stream, applicant));
    }
    if (to !== null) return masters.has(to) ? (stream: Duplex) => masters.accept(to, stream) : null;
    const id = node === null ? null : nodes.arrivals.find(node);
    return id === null ? null : (stream: Duplex) => nodes.arrivals.take(id, stream, applicant.address);
  }

  async function take(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { address }: RequestFacts,
  ): Promise<void> {
    // The active panel will soon be found under the same address.
    if (standby !== null) return refuse(socket, 503);
    const all = [...unproven.values()].reduce((sum, count) => sum + count, 0);
    if (all >= MAX_UNPROVEN || (unproven.get(address) ?? 0) >= MAX_UNPROVEN_PER_ADDRESS) return refuse(socket, 429);
    const dateMs = Date.parse(request.headers.date ?? '');
    const params = new URL(request.url ?? '', 'http://panel').searchParams;
    const purpose = await purposeOf(params, { address, dateMs: Number.isNaN(dateMs) ? null : dateMs });
    if (typeof purpose !== 'function') return refuse(socket, purpose === null ? 404 : 410, headersOf(purpose));
    accept(request, socket, head, (stream) => {
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      void counted(address, () => purpose(stream));
    });
  }

  panelServer.onOpenUpgrade(`/${TRUNK_PATH}`, (request, socket, head, facts) => {
    take(request, socket, head, facts).catch((error: unknown) => {
      log.error('http.upgradeFailed', { error });
      refuse(socket, 500);
    });
  });
  // Before the servers close, because they wait for every connection.
  closers.push(() => {
    masters.close();
    for (const stream of streams) stream.destroy();
  });
  // Runs before the one above. A restart takes new settings into effect; nodes would look for this panel where it was.
  closers.push(async () => {
    if (standby !== null) return;
    await settings.refresh();
    const change = { before: place(), after: nextPlace() };
    if (JSON.stringify(change.before) !== JSON.stringify(change.after)) await nodes.tellPlaceChange(change);
  });
  return { masters };
}

const headersOf = (refusal: DomainError | null): string[] => [
  `Date: ${new Date().toUTCString()}`,
  ...(refusal === null ? [] : [`X-Error-Code: ${refusal.code}`]),
];
