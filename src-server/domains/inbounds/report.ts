import { ValidationError } from '../../contract/envelope.ts';
import { hostilePart } from '../../contract/hostile-json.ts';
import type { JsonObject } from '../../contract/json.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import { ImportedInbound } from './contract.ts';
import { hostileIssue } from './field-texts.ts';
import { readCandidate, shapeColumns, type Candidate } from './verbs/candidate.ts';

/** An inbound as a node reports it, and its running form. */
interface Report {
  body: ImportedInbound;
  candidate: Candidate;
}

/** @throws {ValidationError} the report is no valid inbound. @throws {DomainError} as {@link readCandidate} does */
export function readReport(reported: JsonObject): Report {
  const complaint = hostilePart(reported);
  if (complaint !== null) throw new ValidationError([hostileIssue('', complaint)]);
  const parsed = ImportedInbound.safeParse({ ...reported, nodeId: null }, { reportInput: true });
  if (!parsed.success) throw new ValidationError(toValidationIssues(parsed.error));
  return { body: parsed.data, candidate: readCandidate(parsed.data) };
}

/**
 * The columns that a report sets.
 * @param counters of the inbound here: one that has reached its own limits counts as disabled by the loop
 */
export function reportedColumns(
  { body, candidate }: Report,
  counters: { upBytes: number; downBytes: number },
  nowMs: number,
) {
  const { remark, total, expiryTime, trafficReset } = body;
  const isEnabled = body.enable ?? true;
  const usedBytes = counters.upBytes + counters.downBytes;
  const isUsedUp = (total > 0 && usedBytes >= total) || (expiryTime > 0 && expiryTime <= nowMs);
  return {
    ...shapeColumns(candidate),
    remark,
    enable: isEnabled ? (1 as const) : (0 as const),
    disabledBy: isEnabled ? ('' as const) : isUsedUp ? ('loop' as const) : ('admin' as const),
    expiresAtMs: expiryTime,
    quotaBytes: total,
    trafficReset,
  };
}
