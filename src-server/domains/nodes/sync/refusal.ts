import { DomainError } from '../../../contract/domain-error.ts';
import { ValidationError } from '../../../contract/envelope.ts';
import type { NodeRefusal } from '../contract.ts';

/** A failure in stored form: its code and parameters, and those of its cause. */
export function refusalOf({ code, params, cause }: DomainError): NodeRefusal {
  return {
    code,
    params: { ...params },
    ...(cause instanceof DomainError && { because: { code: cause.code, params: { ...cause.params } } }),
    ...(cause instanceof ValidationError && { issues: [...cause.issues] }),
  };
}

/** Reads a failure stored as JSON. */
export const refusalCode = (json: string): string => (JSON.parse(json) as NodeRefusal).code;
