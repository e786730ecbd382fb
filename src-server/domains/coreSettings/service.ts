import { announce } from '../../contract/announce.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import type { JsonObject } from '../../contract/json.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import { textOf } from '../../core/config/json-access.ts';
import type { Core } from '../../core/core.ts';
import type { Store } from '../../store/open-store.ts';
import { ALL_TAGS, type CoreSettings, type OutboundTraffic } from './contract.ts';
import { presentOutboundTraffics } from './present.ts';
import { inboundTags, outboundTraffics, vlessReverseTexts, zeroOutboundTraffics } from './repository.ts';
import { createOutboundTests, type OutboundTestDeps } from './outbound-tests.ts';
import { createRoutingTools, type RoutingToolsDeps } from './routing-tools.ts';
import { createSaveTemplate, type SaveTemplateDeps } from './save-template.ts';

export interface CoreSettingsDeps extends SaveTemplateDeps, OutboundTestDeps {
  values: SaveTemplateDeps['values'];
  store: Store;
  core: Pick<Core, 'lastOutput' | 'previousRun'> & RoutingToolsDeps['core'];
}
export type CoreSettingsService = ReturnType<typeof createCoreSettingsService>;

export function createCoreSettingsService(deps: CoreSettingsDeps) {
  const { store, values, templates, core, publish } = deps;
  return {
    async show(): Promise<CoreSettings> {
      const [text, tags, reverses, outboundTestUrl, subscribed] = await Promise.all([
        templates.text(),
        inboundTags(store),
        vlessReverseTexts(store),
        values.hidden('coreOutboundTestUrl'),
        deps.subscribedOutbounds(),
      ]);
      const outbounds = [...subscribed.prepend, ...subscribed.append];
      return {
        xraySetting: text,
        inboundTags: JSON.stringify(tags),
        clientReverseTags: JSON.stringify(reverseTags(reverses)),
        outboundTestUrl,
        ...(outbounds.length === 0
          ? {}
          : { subscriptionOutbounds: outbounds, subscriptionOutboundTags: outbounds.map(({ tag }) => textOf(tag)) }),
      };
    },

    defaultTemplate: (): JsonObject => defaultTemplate(),

    ...createSaveTemplate(deps),

    tests: createOutboundTests(deps),

    routing: createRoutingTools(deps),

    outboundTraffics: async (): Promise<OutboundTraffic[]> => presentOutboundTraffics(await outboundTraffics(store)),

    /** @param tag `-alltags-` = every outbound; an unknown tag is ignored. */
    async resetOutboundTraffic(tag: string, requestId: string): Promise<''> {
      await store.write((trx) => zeroOutboundTraffics(trx, tag === ALL_TAGS ? null : tag));
      announce(publish, ['outbounds'], requestId);
      return '';
    },

    coreResult: (): string => core.lastOutput(),

    previousRun() {
      const run = core.previousRun();
      return run === null ? null : { endedAt: run.endedAtMs, how: run.how, output: run.output };
    },
  };
}

/** Distinct names, sorted. */
function reverseTags(reverses: readonly string[]): string[] {
  const tags = new Set<string>();
  for (const reverse of reverses) {
    const tag = parseJsonObject(reverse)?.['tag'];
    if (typeof tag === 'string' && tag.trim() !== '') tags.add(tag.trim());
  }
  return [...tags].sort();
}
