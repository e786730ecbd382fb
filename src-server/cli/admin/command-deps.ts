import type { Logger } from '../../contract/logger.ts';
import type { Store } from '../../store/open-store.ts';

/** What a command that works on the open data folder needs. */
export interface CommandDeps {
  store: Store;
  dataDir: string;
  log: Logger;
  say: (line: string) => void;
}
