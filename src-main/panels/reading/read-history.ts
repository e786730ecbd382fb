import * as z from 'zod';
import type { Link } from '../../connections/link.ts';
import { readCall, ReadFailure } from './limited-call.ts';
import { Amount, listOf } from './tolerant.ts';

const LIMITS = { ms: 10_000, bytes: 256 * 1024 };
const Point = z.object({ t: z.number(), v: Amount });
const Points = listOf(Point, 120);
const Histories = z.object({ netUp: Points, netDown: Points }).catch({ netUp: [], netDown: [] });

/** Bytes per second in both directions at a moment. */
export interface Throughput {
  atMs: number;
  bytesPerSec: number;
}

/** The last hour by minute, from the panel's own history. @throws {ReadFailure} */
export async function readThroughput(link: Link): Promise<Throughput[]> {
  const { netUp, netDown } = await readBoth(link);
  const down = new Map(netDown.map(({ t, v }) => [t, v]));
  return netUp.map(({ t, v }) => ({ atMs: t * 1000, bytesPerSec: v + (down.get(t) ?? 0) }));
}

async function readBoth(link: Link): Promise<z.output<typeof Histories>> {
  const base = '/panel/api/server';
  try {
    const path = `${base}/histories/60?metrics=netUp,netDown`;
    return Histories.parse(await readCall(link, { path }, LIMITS));
  } catch (error) {
    if (!(error instanceof ReadFailure) || error.trouble !== 'absent') throw error;
  }
  // Older panels return one figure per call.
  const one = async (metric: string): Promise<z.output<typeof Points>> =>
    Points.parse(await readCall(link, { path: `${base}/history/${metric}/60` }, LIMITS));
  return { netUp: await one('netUp'), netDown: await one('netDown') };
}
