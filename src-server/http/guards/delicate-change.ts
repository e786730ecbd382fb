import type { Context } from 'koa';
import { stateOf } from '../request-state.ts';

/** Who requests a change that gives others access, and his proof for it. */
export function delicateChange<Proof>(koa: Context, proof: Proof) {
  const { info, session } = stateOf(koa);
  return { caller: info.caller, signedInAtMs: session?.createdAtMs ?? null, address: info.address, proof };
}
