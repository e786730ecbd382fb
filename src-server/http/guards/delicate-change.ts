import type { Context } from 'koa';
import { stateOf } from '../request-state.ts';

/** Who asks for a change that lets others in, and what he shows for it. */
export function delicateChange<Proof>(koa: Context, proof: Proof) {
  const { info, session } = stateOf(koa);
  return { caller: info.caller, signedInAtMs: session?.createdAtMs ?? null, address: info.address, proof };
}
