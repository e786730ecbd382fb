import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import { oneLine } from '../../../contract/one-line.ts';
import type { DialError } from '../../../net/dial-error.ts';

const Problem = z.object({
  type: z.string().default(''),
  detail: z.string().default(''),
  identifier: z.object({ value: z.string() }).optional(),
  get subproblems() {
    return z.array(Problem).optional();
  },
});
/** An error document of an authority (RFC 8555, section 6.7). */
export type AcmeProblem = z.infer<typeof Problem>;

/** A failed order, and how long the authority asks to wait. */
export class AcmeFailure extends DomainError {
  /** Ms; 0 = not given. */
  readonly retryAfterMs: number;
  constructor(
    code: string,
    params: Record<string, string | number> = {},
    { retryAfterMs = 0, ...options }: ErrorOptions & { retryAfterMs?: number } = {},
  ) {
    super(code, params, options);
    this.name = 'AcmeFailure';
    this.retryAfterMs = retryAfterMs;
  }
}

/** Of a name: the errors of its challenge. */
const OF_NAME: Readonly<Record<string, string>> = {
  connection: 'certificate.notReached',
  unauthorized: 'certificate.wrongAnswer',
  incorrectResponse: 'certificate.wrongAnswer',
  dns: 'certificate.dns',
  caa: 'certificate.caa',
  tls: 'certificate.tls',
};

const OF_ORDER: Readonly<Record<string, string>> = {
  rateLimited: 'certificate.rateLimited',
  rejectedIdentifier: 'certificate.rejectedName',
  unsupportedIdentifier: 'certificate.rejectedName',
  externalAccountRequired: 'certificate.account',
  accountDoesNotExist: 'certificate.account',
  userActionRequired: 'certificate.account',
  unauthorized: 'certificate.account',
  invalidContact: 'certificate.account',
  unsupportedContact: 'certificate.account',
  serverInternal: 'certificate.authority',
};

export function readProblem(value: unknown): AcmeProblem | null {
  const parsed = Problem.safeParse(value);
  return parsed.success && parsed.data.type !== '' ? parsed.data : null;
}

/** The last part of a problem's type. */
export const kindOf = ({ type }: AcmeProblem): string => type.split(':').at(-1) ?? '';

/** Why the authority could not validate the challenge of a name. @param port the authority connects to */
export function challengeFailure(problem: AcmeProblem | null, name: string, port: number): AcmeFailure {
  const text = oneLine(problem?.detail ?? '');
  const code = OF_NAME[problem === null ? '' : kindOf(problem)];
  if (code === undefined) return new AcmeFailure('certificate.refused', { text });
  return new AcmeFailure(code, code === 'certificate.notReached' ? { name, port, text } : { name, text });
}

/** Why a request was refused. @param status HTTP status of the response */
export function requestFailure(problem: AcmeProblem | null, status: number, retryAfterMs: number): AcmeFailure {
  if (problem === null) {
    const text = `HTTP ${status}`;
    const isBusy = status === 429 || status >= 500;
    return new AcmeFailure(isBusy ? 'certificate.authority' : 'certificate.directory', { text }, { retryAfterMs });
  }
  const [first = problem] = problem.subproblems ?? [];
  const kind = kindOf(problem);
  const name = first.identifier?.value ?? problem.identifier?.value;
  // A name may be refused before any challenge, because of its DNS records.
  if (name !== undefined && (kindOf(first) === 'caa' || kindOf(first) === 'dns'))
    return challengeFailure(first, name, 0);
  const text = oneLine(first === problem ? problem.detail : `${problem.detail} ${first.detail}`);
  const code = OF_ORDER[kind] ?? (status >= 500 ? 'certificate.authority' : 'certificate.refused');
  return new AcmeFailure(code, { text }, { retryAfterMs });
}

/** A failure to reach the authority. */
export function dialFailure(error: DialError): AcmeFailure {
  if (error.code === 'private' && error.refused !== null)
    return new AcmeFailure('certificate.private', { ...error.refused }, { cause: error });
  return new AcmeFailure('certificate.unreachable', { text: oneLine(error.message) }, { cause: error });
}
