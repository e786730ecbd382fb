import { isApiError } from '../api/api-error.ts';
import type { CounterReading, OnlineUser } from '../core.ts';
import type { Lifecycle } from '../process/lifecycle/lifecycle.ts';
import { createOnlineReader } from './online-reader.ts';
import { createCounterReader } from './read-counters.ts';

/** What the running core reports. Every reading is null when it does not run, or ends during the call. */
export function createCoreReadings(
  lifecycle: Pick<Lifecycle, 'readable' | 'session' | 'noteCall'>,
  clock: () => number,
) {
  const readCounters = createCounterReader(clock);
  const readOnline = createOnlineReader();
  return {
    /** The absolute counters, also of a core that is about to end or has just ended. */
    counters: async (): Promise<CounterReading | null> => {
      const source = lifecycle.readable;
      if (!source) return null;
      try {
        const reading = await readCounters(source.api, source.bootId);
        lifecycle.noteCall(source.api, true);
        return reading;
      } catch (error) {
        lifecycle.noteCall(source.api, !isApiError(error, 'gone', 'timeout'));
        // It ended during the call.
        if (isApiError(error, 'gone')) return null;
        throw error;
      }
    },
    /** Users with open connections; null also when the core is too old to tell. */
    onlineUsers: async (): Promise<OnlineUser[] | null> => {
      const source = lifecycle.readable;
      if (!source) return null;
      try {
        const users = await readOnline(source.api, source.bootId);
        // Large counters may take longer than a call may.
        lifecycle.noteCall(source.api, true);
        return users;
      } catch (error) {
        if (isApiError(error, 'gone')) return null;
        throw error;
      }
    },
    /** Whether one of these users has an open connection; null also when the core cannot tell. One call per user. */
    hasConnections: async (emails: readonly string[]): Promise<boolean | null> => {
      const api = lifecycle.session?.process.api;
      if (api === undefined) return null;
      try {
        return (await Promise.all(emails.map((email) => api.hasConnections(email)))).includes(true);
      } catch (error) {
        if (isApiError(error, 'gone', 'unimplemented')) return null;
        throw error;
      }
    },
  };
}
