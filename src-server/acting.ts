import { AsyncLocalStorage } from 'node:async_hooks';
import type { Act } from './contract/act.ts';

const acts = new AsyncLocalStorage<Act | undefined>();

/** The request being served; undefined while the panel works by itself. */
export const presentAct = (): Act | undefined => acts.getStore();

/** Runs `work`, and all that it starts, as part of a request: its changes are recorded in the journal. */
export const actingAs = <T>(act: Act, work: () => T): T => acts.run(act, work);

/** Runs `work` as the panel's own, whatever started it: timers outlive the request that armed them. */
export const actingAlone = <T>(work: () => T): T => acts.run(undefined, work);
