import { announce } from '../../contract/announce.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError, type ValidationIssue } from '../../contract/envelope.ts';
import type { Publish } from '../../contract/events.ts';
import { fillText } from '../../contract/fields/field-text.ts';
import { hostilePart } from '../../contract/hostile-json.ts';
import type { JsonObject } from '../../contract/json.ts';
import { listOf, objectOf, textOf } from '../../core/config/json-access.ts';
import type { CoreConfigSource } from '../../core/config/source.ts';
import { checkTemplate, checkTemplateRuns, parseTemplate } from '../../core/config/template/template-rules.ts';
import { TEMPLATE_TEXTS } from '../../core/config/texts/template.ts';
import type { ApplyPlan, PlannedChange } from '../../core/apply/plan.ts';
import type { ApplyResult } from '../../core/core.ts';
import { culpritOf } from '../../core/process/output/core-text.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/open-store.ts';
import { missingGeoFiles } from './geo-file-check.ts';
import { allowPrivateDns } from './private-dns.ts';
import type { CoreValues, TemplateStore } from './template-store.ts';

export interface SaveTemplateDeps {
  store: Pick<Store, 'write'>;
  values: CoreValues;
  templates: TemplateStore;
  runtime: Pick<Runtime, 'testTemplate' | 'stage' | 'apply'>;
  /** What it takes to make the running core match a template. */
  plan: (template: JsonObject) => Promise<ApplyPlan>;
  /** Outbounds that run next to the template's. */
  subscribedOutbounds: () => Promise<CoreConfigSource['subscribedOutbounds']>;
  /** @throws {DomainError} when an inbound or the panel has a tag or a place of the template. */
  requireFreePlaces: (template: JsonObject) => Promise<void>;
  /** Folder of the core's geo files. */
  assetDir: string;
  publish: Publish;
}

interface Saved {
  applied: Exclude<ApplyResult, { kind: 'failed' }>['kind'];
  /** Why the core was restarted; empty when it was not. */
  reason: string;
  /** Changes applied without a restart. */
  changes: PlannedChange[];
  /** Warnings of the core about an accepted template. */
  coreWarnings: string[];
}

/**
 * Saves the core template and the test URL. Everything is validated before anything is stored, including by the core
 * itself; then both values are stored at once and applied to the running core.
 */
export function createSaveTemplate(deps: SaveTemplateDeps) {
  const { store, values, templates, runtime, plan, subscribedOutbounds, assetDir, publish } = deps;

  /** The template to store. @throws as `save`, before anything is stored */
  async function acceptable(text: string): Promise<{ template: JsonObject; coreWarnings: string[] }> {
    const template = allowPrivateDns(await checked(text, assetDir));
    await deps.requireFreePlaces(template);
    const clashes = namedTwice(template, await subscribedOutbounds());
    if (clashes.length > 0) throw new ValidationError(clashes);
    const verdict = await runtime.testTemplate(template);
    if (!verdict.ok) throw rejection(verdict.text, template);
    return { template, coreWarnings: [...(verdict.warnings ?? [])] };
  }

  /**
   * @param testUrl empty = the built-in one.
   * @throws {DomainError} `coreSettings.templateInvalid`, `.outboundsNotArray`, `.geoFilesMissing`, `.handlerRejected`,
   * `.templateRejected`: nothing was stored. `coreSettings.savedNotApplied`: stored, but the core refused it.
   * @throws {ValidationError} with every violated rule of the template.
   */
  async function save(text: string, testUrl: string, requestId: string): Promise<Saved> {
    const { template, coreWarnings } = await acceptable(text);
    const planned = await plan(template);
    await store.write(async (trx) => {
      await templates.save(trx, template);
      await values.setHidden('coreOutboundTestUrl', testUrl, trx);
      await runtime.stage(trx, { everything: true });
    });
    announce(publish, ['outbounds'], requestId);
    const { core } = await runtime.apply({ everything: true });
    if (core.kind === 'failed') throw new DomainError('coreSettings.savedNotApplied', { text: core.text });
    return {
      applied: core.kind,
      // A live change that fails in the core ends in a restart, too.
      reason: core.kind === 'restarted' ? planned.reason || 'the core did not take the change live' : '',
      changes: core.kind === 'live' ? planned.changes : [],
      coreWarnings,
    };
  }

  return {
    save,
    /** What saving this text would do to the running core. @throws as `save` for a text that would be refused */
    preview: async (text: string): Promise<ApplyPlan> => plan((await acceptable(text)).template),
  };
}

async function checked(text: string, assetDir: string): Promise<JsonObject> {
  const template = parseTemplate(text);
  if (template === null) throw new DomainError('coreSettings.templateInvalid', { text: whyNotJson(text) });
  const hostile = hostilePart(template);
  if (hostile !== null) throw new DomainError('coreSettings.templateInvalid', { text: hostile });
  if (!Array.isArray(template['outbounds']))
    throw new DomainError('coreSettings.outboundsNotArray', { found: kindOf(template['outbounds']) });
  // A stored template runs without its bad parts; a save refuses them, because a silently missing outbound sends its
  // traffic somewhere else.
  const issues = [...checkTemplate(template), ...checkTemplateRuns(template)];
  if (issues.length > 0) throw new ValidationError(issues);
  const missing = await missingGeoFiles(template, assetDir);
  if (missing.length > 0) throw new DomainError('coreSettings.geoFilesMissing', { files: missing.join(', ') });
  return template;
}

/** Tags that an outbound subscription already uses: only one of the two could run. */
function namedTwice(
  template: JsonObject,
  { prepend, append }: CoreConfigSource['subscribedOutbounds'],
): ValidationIssue[] {
  const code = 'config.subscriptionTag';
  const taken = new Set([...prepend, ...append].map(({ tag }) => textOf(tag)));
  return listOf(template['outbounds']).flatMap((outbound, index) => {
    const tag = textOf(objectOf(outbound)['tag']);
    if (!taken.has(tag)) return [];
    const message = fillText(TEMPLATE_TEXTS[code][1], { tag });
    return [{ field: `outbounds[${index}].tag`, rule: 'unique', param: '', code, params: { tag }, message }];
  });
}

function whyNotJson(text: string): string {
  try {
    JSON.parse(text);
    return 'it must be an object with the sections of a core config';
  } catch (error) {
    return (error as Error).message;
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  return value === null ? 'null' : typeof value;
}

/** The core's refusal, with the tag of the outbound or inbound if it names one; the last of the chain of reasons. */
function rejection(text: string, template: JsonObject): DomainError {
  const culprit = culpritOf(text);
  if (culprit === null) return new DomainError('coreSettings.templateRejected', { text });
  const reason = text.slice(text.lastIndexOf(' > ') + 3).replace(/^[\w/]+: /, '');
  const { kind, tag } = culprit;
  const index = listOf(template[`${kind}s`]).findIndex((handler) => objectOf(handler)['tag'] === tag);
  return new DomainError(
    'coreSettings.handlerRejected',
    { kind, tag, text: reason },
    index < 0 ? {} : { field: `${kind}s[${index}]` },
  );
}
