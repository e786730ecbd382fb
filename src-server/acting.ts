import { AsyncLocalStorage } from 'node:async_hooks';
import type { Act } from './contract/act.ts';

const acts = new AsyncLocalStorage<Act | undefined>();

/** What is asked of the panel here and now; undefined where the panel works by itself. */
export const presentAct = (): Act | undefined => acts.getStore();

/** Runs `work`, and all that it starts, as something that was asked for: its changes stand in the journal. */
export const actingAs = <T>(act: Act, work: () => T): T => acts.run(act, work);

/** Runs `work` as the panel's own, whatever it was started by: timers outlive the request that armed them. */
export const actingAlone = <T>(work: () => T): T => acts.run(undefined, work);
