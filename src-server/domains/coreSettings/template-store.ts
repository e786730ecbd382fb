import { DomainError } from '../../contract/domain-error.ts';
import type { JsonObject } from '../../contract/json.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import { templateListeners, type TemplateListener } from '../../core/config/template/template-inbounds.ts';
import { balancerTags, outboundTags } from '../../core/config/template/outbound-section.ts';
import { parseTemplate } from '../../core/config/template/template-rules.ts';
import type { WriteTransaction } from '../../store/open-store.ts';

type CoreKey = 'coreTemplateConfig' | 'coreOutboundTestUrl';

/** Where the two values are stored: a part of the settings that no settings call returns. */
export interface CoreValues {
  /** The value, or its default; an absent template reads as empty text. */
  hidden(key: CoreKey, trx?: WriteTransaction): Promise<string>;
  setHidden(key: CoreKey, value: string, trx?: WriteTransaction): Promise<void>;
}

export function createTemplateStore(values: CoreValues) {
  async function stored(trx?: WriteTransaction): Promise<JsonObject | null> {
    const text = await values.hidden('coreTemplateConfig', trx);
    return text === '' ? defaultTemplate() : parseTemplate(text);
  }
  const save = (trx: WriteTransaction, template: JsonObject): Promise<void> =>
    values.setHidden('coreTemplateConfig', JSON.stringify(template, null, 2), trx);

  return {
    /** As {@link read}; null when it cannot be read, so that a good one can take its place. */
    readable: () => stored(),
    /**
     * The template used to build the config: the stored or the built-in one. A new object on each call.
     * @throws {DomainError} `coreSettings.storedTemplateInvalid`
     */
    async read(): Promise<JsonObject> {
      const template = await stored();
      if (template === null) throw new DomainError('coreSettings.storedTemplateInvalid');
      return template;
    },
    /** The template as the editor shows it. A broken text is returned as is, so that it can be fixed. */
    async text(): Promise<string> {
      const template = await stored();
      return template === null ? values.hidden('coreTemplateConfig') : JSON.stringify(template, null, 2);
    },
    /**
     * Stores what `change` makes of the template, in the caller's transaction. `change` is pure and returns its argument
     * when nothing differs.
     * @returns true when the stored template changed; a template that cannot be read is left alone.
     */
    async rewrite(trx: WriteTransaction, change: (template: JsonObject) => JsonObject): Promise<boolean> {
      const template = await stored(trx);
      if (template === null) return false;
      const changed = change(template);
      if (changed === template) return false;
      await save(trx, changed);
      return true;
    },
    save,
    /** Tags of its outbounds and balancers, which no other outbound may use. Empty for an unreadable template. */
    async outboundTags(): Promise<ReadonlySet<string>> {
      const template = (await stored()) ?? {};
      return new Set([...outboundTags(template), ...balancerTags(template)]);
    },
    /** Where its own inbounds listen. None for an unreadable template. */
    listeners: async (): Promise<TemplateListener[]> => templateListeners((await stored()) ?? {}),
  };
}
export type TemplateStore = ReturnType<typeof createTemplateStore>;
