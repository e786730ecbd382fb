import { useRef, useState } from 'react';
import type * as z from 'zod';
import { testOutbounds, type OutboundTest } from '#contract/coreSettings';
import type { JsonObject } from '#wire/json';
import { useCall } from '../../../api/transport-context.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { textAt } from '../../../forms/draft/json.ts';

export const TEST_MODES = ['http', 'real', 'tcp'] as const;
export type TestMode = (typeof TEST_MODES)[number];
export type TestResult = z.infer<typeof OutboundTest>;

/** Sized so that a request ends well within the server's limit: its core starts, then probes run 16 at a time. */
const CHUNK = 16;

export interface OutboundTests {
  /** By tag; `null` while it is being tested. */
  results: Readonly<Record<string, TestResult | null>>;
  /** Results that came last, and how many tests of their run have ended; null until the first come. */
  latest: { results: readonly TestResult[]; done: number; total: number } | null;
  /** Progress of the current run; null when none is under way. */
  progress: { done: number; total: number } | null;
  run: (outbounds: readonly JsonObject[], mode: TestMode) => Promise<void>;
  cancel: () => void;
}

/** Tests outbounds as they are in the draft, in chunks; results appear chunk by chunk. */
export function useOutboundTests(all: readonly JsonObject[]): OutboundTests {
  const call = useCall();
  const [results, setResults] = useState<OutboundTests['results']>({});
  const [latest, setLatest] = useState<OutboundTests['latest']>(null);
  const [progress, setProgress] = useState<OutboundTests['progress']>(null);
  const running = useRef<AbortController | null>(null);

  async function run(outbounds: readonly JsonObject[], mode: TestMode): Promise<void> {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setLatest(null);
    try {
      for (let at = 0; at < outbounds.length && !stop.signal.aborted; at += CHUNK) {
        const chunk = outbounds.slice(at, at + CHUNK);
        setProgress({ done: at, total: outbounds.length });
        setResults((known) => ({ ...known, ...byTag(chunk, () => null) }));
        const body = { outbounds: JSON.stringify(chunk), allOutbounds: JSON.stringify(all), mode };
        const chunkResults = await call(testOutbounds, { body }, stop.signal);
        if (!Array.isArray(chunkResults)) continue;
        setResults((known) => ({ ...known, ...byTag(chunk, (index) => chunkResults[index] ?? null) }));
        setLatest({ results: chunkResults, done: at + chunk.length, total: outbounds.length });
      }
    } catch (error) {
      if (!stop.signal.aborted) announceFailure(error as Error);
    } finally {
      if (running.current === stop) {
        running.current = null;
        setProgress(null);
      }
      // Tests that were under way have no result.
      setResults((known) => Object.fromEntries(Object.entries(known).filter(([, result]) => result !== null)));
    }
  }

  return { results, latest, progress, run, cancel: () => running.current?.abort() };
}

function byTag(chunk: readonly JsonObject[], resultOf: (index: number) => TestResult | null) {
  return Object.fromEntries(chunk.map((outbound, index) => [textAt(outbound['tag']), resultOf(index)]));
}
