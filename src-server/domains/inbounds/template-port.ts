import type { JsonObject } from '../../contract/json.ts';
import type { WriteTransaction } from '../../store/open-store.ts';

/** The stored core template, as far as inbounds touch it: their tags appear in its routing rules and loopback outbounds. */
export interface TemplatePort {
  /**
   * Stores what `change` makes of the template, in the caller's transaction. `change` is pure and returns its argument
   * when nothing differs.
   * @returns true when the stored template changed.
   */
  rewrite(trx: WriteTransaction, change: (template: JsonObject) => JsonObject): Promise<boolean>;
}
