import type { BrowserContext } from 'playwright';
import { rhythm } from './fill-history.ts';

const GIB = 1024 ** 3;
type Json = Record<string, unknown>;

/**
 * Replaces the machine's figures by invented ones, so that a picture shows the panel and not the load of the machine
 * that took it. All other data is real.
 */
export async function steadyReadings(context: BrowserContext): Promise<void> {
  await context.route('**/panel/api/server/status', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { obj: Json };
    await route.fulfill({ response, json: { ...body, obj: steady(body.obj) } });
  });
  await context.route('**/panel/api/server/histories/*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { obj: Record<string, Point[]> };
    for (const [metric, points] of Object.entries(body.obj))
      body.obj[metric] = points.map((point) => steadyPoint(metric, point));
    await route.fulfill({ response, json: body });
  });
  // Online data differs from day to day, and is not reachable from everywhere.
  await context.route('**/panel/api/server/getCoreVersion', (route) =>
    route.fulfill({ json: { success: true, msg: '', obj: ['v26.7.28', 'v26.6.30', 'v26.5.9'] } }),
  );
  await context.routeWebSocket(/\/ws$/, (page) => {
    const server = page.connectToServer();
    server.onMessage((text) => {
      const message = JSON.parse(text.toString()) as { type: string; data?: Json };
      if (message.type !== 'status' || message.data === undefined) page.send(text);
      else page.send(JSON.stringify({ ...message, data: steady(message.data) }));
    });
  });
}

interface Point {
  t: number;
  v: number;
}

/** The times since the panel's start are real. */
function steadyPoint(metric: string, { t, v }: Point): Point {
  const curve = CURVES[metric];
  return { t, v: curve === undefined ? v : curve(t) };
}

const CURVES: Readonly<Record<string, (sec: number) => number>> = {
  cpu: (sec) => 6 + 38 * rhythm(sec),
  mem: (sec) => 38 + 2 * rhythm(sec + 900),
  swap: () => 3,
  diskUsage: () => 31,
  netUp: (sec) => 400_000 + 2_200_000 * rhythm(sec + 60),
  netDown: (sec) => 3_000_000 + 18_000_000 * rhythm(sec),
  load1: (sec) => 0.2 + rhythm(sec),
  tcpCount: (sec) => 140 + 280 * rhythm(sec),
};

function steady(status: Json): Json {
  const sec = Date.now() / 1000;
  return {
    ...status,
    cpu: 6 + 38 * rhythm(sec),
    mem: { current: 3.1 * GIB, total: 8 * GIB },
    swap: { current: 0.06 * GIB, total: 2 * GIB },
    disk: { current: 24.6 * GIB, total: 80 * GIB },
    netIO: {
      up: 400_000 + 2_200_000 * rhythm(sec + 60),
      down: 3_000_000 + 18_000_000 * rhythm(sec),
      pktUp: 900,
      pktDown: 2_400,
    },
    load: { load1: 0.62, load5: 0.51, load15: 0.44 },
    loads: [0.62, 0.51, 0.44],
    tcpCount: 286,
    udpCount: 21,
    uptime: 1_904_400,
    appStats: { ...(status['appStats'] as Json), uptime: 266_400 },
  };
}
