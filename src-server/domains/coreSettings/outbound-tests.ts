import { DomainError } from '../../contract/domain-error.ts';
import { hostilePart } from '../../contract/hostile-json.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { OutboundResult, ProbeMode } from '../../core/probe/probe-result.ts';
import type { TestOutbounds } from '../../core/probe/outbound-tester.ts';
import { blockedText } from '../../net/blocked-text.ts';
import { checkedAddresses, type Lookup } from '../../net/checked-address.ts';
import { DialError } from '../../net/dial-error.ts';
import type { JobService } from '../jobs/service.ts';
import type { CoreValues } from './template-store.ts';

export interface OutboundTestDeps {
  values: Pick<CoreValues, 'hidden'>;
  jobs: Pick<JobService, 'start'>;
  testOutbounds: TestOutbounds;
  lookup: Lookup;
}

interface TestRequest {
  /** JSON text of one outbound or of a list. */
  text: string;
  /** JSON text of the template's list; empty = none. */
  allOutbounds: string;
  mode: ProbeMode;
}

/** Most outbounds per request. */
const MAX_OUTBOUNDS = 50;

/** Tests of outbounds. They always fetch the stored URL: a URL from the request would let a caller reach anything. */
export function createOutboundTests({ values, jobs, testOutbounds, lookup }: OutboundTestDeps) {
  async function run(
    outbounds: readonly Json[],
    { allOutbounds, mode }: TestRequest,
    job?: { signal: AbortSignal; report: (progress: { done: number; total: number }) => void },
  ): Promise<OutboundResult[]> {
    return testOutbounds({
      outbounds,
      known: knownOutbounds(allOutbounds),
      mode,
      url: await allowedUrl(await values.hidden('coreOutboundTestUrl'), lookup),
      signal: job?.signal,
      onProgress: (done) => job?.report({ done, total: outbounds.length }),
    });
  }

  return {
    /** @throws {DomainError} `coreSettings.outboundRequired` */
    async one(request: TestRequest): Promise<OutboundResult> {
      if (request.text.trim() === '') throw new DomainError('coreSettings.outboundRequired');
      const [result] = await run([parsed(request.text).value], request);
      return result!;
    },
    /** @throws {DomainError} `coreSettings.outboundsRequired`, `.outboundsInvalid`, `.tooManyOutbounds` */
    async many(request: TestRequest): Promise<OutboundResult[]> {
      return run(listIn(request.text), request);
    },
    /** The same as a job, with progress. @throws {DomainError} as `many` */
    start(request: TestRequest): { jobId: string } {
      const outbounds = listIn(request.text);
      const { id } = jobs.start({
        kind: 'outboundTest',
        title: `Testing ${outbounds.length} outbounds`,
        run: async (job) => {
          const results = await run(outbounds, request, job);
          job.signal.throwIfAborted();
          return results;
        },
      });
      return { jobId: id };
    },
  };
}

function listIn(text: string): Json[] {
  if (text.trim() === '') throw new DomainError('coreSettings.outboundsRequired');
  const { value, problem } = parsed(text);
  if (!Array.isArray(value))
    throw new DomainError('coreSettings.outboundsInvalid', { text: problem || 'not an array' });
  if (value.length > MAX_OUTBOUNDS) throw new DomainError('coreSettings.tooManyOutbounds');
  return value;
}

/** The list, or why it cannot be read: only tests that need a core are affected. */
function knownOutbounds(text: string): JsonObject[] | string {
  if (text.trim() === '') return [];
  const { value, problem } = parsed(text);
  if (!Array.isArray(value)) return `Invalid allOutbounds JSON: ${problem || 'not an array'}`;
  return value.filter((item): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item));
}

function parsed(text: string): { value: Json; problem: string } {
  try {
    const value = JSON.parse(text) as Json;
    const problem = hostilePart(value) ?? '';
    return { value: problem === '' ? value : null, problem };
  } catch (error) {
    return { value: null, problem: (error as Error).message };
  }
}

/** The URL, or a refusal if it leads into an internal network. A name unknown here may be known at the far end. */
async function allowedUrl(text: string, lookup: Lookup): Promise<URL | string> {
  const url = URL.parse(text);
  if (url === null) return 'the outbound test URL is not valid';
  try {
    await checkedAddresses(url.hostname, { lookup, allowPrivate: false });
  } catch (error) {
    if (!(error instanceof DialError)) throw error;
    if (error.code !== 'unresolved') return error.refused === null ? error.message : blockedText(error.refused);
  }
  return url;
}
