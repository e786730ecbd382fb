import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError, type ValidationIssue } from '../../contract/envelope.ts';
import type { Publish } from '../../contract/events.ts';
import { hostilePart } from '../../contract/hostile-json.ts';
import type { JsonObject } from '../../contract/json.ts';
import { buildCoreConfig } from '../../core/config/core-config.ts';
import { checkTemplate, parseTemplate } from '../../core/config/template-rules.ts';
import type { ApplyOutcome } from '../../core/core.ts';
import { culpritOf } from '../../core/process/core-text.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/open-store.ts';
import { missingGeoFiles } from './geo-file-check.ts';
import { allowPrivateDns } from './private-dns.ts';
import type { CoreValues, TemplateStore } from './template-store.ts';

export interface SaveTemplateDeps {
  store: Pick<Store, 'write'>;
  values: CoreValues;
  templates: TemplateStore;
  runtime: Pick<Runtime, 'testTemplate' | 'apply'>;
  /** Folder of the core's geo files. */
  assetDir: string;
  publish: Publish;
}

export type Applied = Exclude<ApplyOutcome, { kind: 'failed' }>['kind'];

/**
 * Saves the core template and the test URL. Everything that can be wrong is found before anything is stored, the core's own
 * opinion included; then both values are stored at once and the running core is made equal to them.
 */
export function createSaveTemplate({ store, values, templates, runtime, assetDir, publish }: SaveTemplateDeps) {
  /**
   * @param testUrl empty = the built-in one.
   * @throws {DomainError} `coreSettings.templateInvalid`, `.outboundsNotArray`, `.geoFilesMissing`, `.handlerRejected`,
   * `.templateRejected`: nothing was stored. `coreSettings.savedNotApplied`: stored, but the core did not take it.
   * @throws {ValidationError} with every broken rule of the template.
   */
  return async (text: string, testUrl: string, requestId: string): Promise<Applied> => {
    const template = allowPrivateDns(await checked(text, assetDir));
    const verdict = await runtime.testTemplate(template);
    if (!verdict.ok) throw rejection(verdict.text);
    await store.write(async (trx) => {
      await templates.save(trx, template);
      await values.setHidden('coreOutboundTestUrl', testUrl, trx);
    });
    publish({ type: 'invalidate', resource: 'outbounds', ...(requestId === '' ? {} : { requestId }) });
    const { core } = await runtime.apply({ everything: true });
    if (core.kind === 'failed') throw new DomainError('coreSettings.savedNotApplied', { text: core.text });
    return core.kind;
  };
}

async function checked(text: string, assetDir: string): Promise<JsonObject> {
  const template = parseTemplate(text);
  if (template === null) throw new DomainError('coreSettings.templateInvalid', { text: whyNotJson(text) });
  const hostile = hostilePart(template);
  if (hostile !== null) throw new DomainError('coreSettings.templateInvalid', { text: hostile });
  if (!Array.isArray(template['outbounds']))
    throw new DomainError('coreSettings.outboundsNotArray', { found: kindOf(template['outbounds']) });
  const issues = [...checkTemplate(template), ...partsLeftOut(template)];
  if (issues.length > 0) throw new ValidationError(issues);
  const missing = await missingGeoFiles(template, assetDir);
  if (missing.length > 0) throw new DomainError('coreSettings.geoFilesMissing', { files: missing.join(', ') });
  return template;
}

/**
 * Parts that the config would be built without. A stored template runs without its bad parts; at a save they are refused,
 * because an outbound that is silently missing sends its traffic somewhere else.
 */
function partsLeftOut(template: JsonObject): ValidationIssue[] {
  const source = { template, inbounds: [], subscribedOutbounds: { prepend: [], append: [] } };
  const { leftOut } = buildCoreConfig(source, { apiListen: '127.0.0.1:1', logFolder: '' });
  return leftOut.map(({ kind, name, reason }) => ({
    field: kind === 'outbound' ? 'outbounds' : 'routing.rules',
    rule: 'unsupported',
    param: name,
    message: reason,
  }));
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

/** The core's refusal, by the name of the outbound or inbound when it names one; of the chain of reasons, the last. */
function rejection(text: string): DomainError {
  const culprit = culpritOf(text);
  if (culprit === null) return new DomainError('coreSettings.templateRejected', { text });
  const reason = text.slice(text.lastIndexOf(' > ') + 3).replace(/^[\w/]+: /, '');
  return new DomainError('coreSettings.handlerRejected', { kind: culprit.kind, tag: culprit.tag, text: reason });
}
