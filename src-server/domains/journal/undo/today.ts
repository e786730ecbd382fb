import { DomainError } from '../../../contract/domain-error.ts';
import { ValidationError } from '../../../contract/envelope.ts';
import { parseJsonObject } from '../../../contract/json-text.ts';
import type { JsonObject } from '../../../contract/json.ts';
import type { Line } from '../../../concurrency.ts';
import { NOTED_SETTINGS, TEMPLATE_SETTINGS } from '../../../store/journal/captured-tables.ts';
import type { Db, Row } from '../../../store/schema.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { rowsIn, type ChangedRow } from '../repository.ts';
import type { UndoRefusal } from './refusals.ts';
import type { Scope } from './scope.ts';

type InboundRow = Row<'inbounds'>;

export interface TodayDeps {
  runtime: Pick<Runtime, 'testTemplate'>;
  settings: { checkRestored(texts: ReadonlyMap<string, string | null>): Promise<void> };
  inbounds: { checkRestored(row: InboundRow): Promise<void>; alone: Line };
  /** @throws {DomainError} when an inbound or the panel has a tag or a place of the template */
  requireFreePlaces: (template: JsonObject) => Promise<void>;
  defaultTemplate: JsonObject;
}

/** Columns that require a check of a former inbound; a remark or a counter does not. */
const RUNNING = [
  'enable',
  'tag',
  'listen',
  'port',
  'protocol',
  'settings',
  'streamSettings',
  'sniffing',
  'nodeId',
  'serverId',
];

/** Checks whether the restored state would be accepted today: ports, files, the core's verdict. */
export function createToday({ runtime, settings, inbounds, requireFreePlaces, defaultTemplate }: TodayDeps) {
  async function checkInbounds(db: Db, rows: readonly ChangedRow[]): Promise<void> {
    for (const { rowKey, before, after } of rows) {
      if (before === null) continue;
      const was = JSON.parse(before) as Partial<InboundRow>;
      const id = Number(rowKey);
      if (after !== null && !RUNNING.some((column) => column in was)) continue;
      const present =
        after === null ? {} : await db.selectFrom('inbounds').selectAll().where('id', '=', id).executeTakeFirst();
      await inbounds.checkRestored({ ...present, ...was, id } as InboundRow);
    }
  }

  async function checkSettings(rows: readonly ChangedRow[]): Promise<void> {
    const texts = new Map<string, string | null>();
    for (const { rowKey, before } of rows) {
      if (NOTED_SETTINGS.includes(rowKey)) continue;
      const text = before === null ? null : String((JSON.parse(before) as { value: unknown }).value);
      if (rowKey === 'coreTemplateConfig') await checkTemplate(text ?? '');
      else if (!TEMPLATE_SETTINGS.includes(rowKey)) texts.set(rowKey, text);
    }
    if (texts.size > 0) await settings.checkRestored(texts);
  }

  async function checkTemplate(text: string): Promise<void> {
    const template = text === '' ? defaultTemplate : parseJsonObject(text);
    // A template that was already broken may be restored as it was: it runs without its bad parts.
    if (template === null) return;
    await requireFreePlaces(template);
    const verdict = await runtime.testTemplate(template);
    if (!verdict.ok) throw new DomainError('coreSettings.templateRejected', { text: verdict.text });
  }

  return {
    /** @throws {DomainError} @throws {ValidationError} as a save of these rows would */
    async check(db: Db, { entryId, only }: Scope): Promise<void> {
      if (only !== undefined) return;
      await checkInbounds(db, await rowsIn(db, entryId, 'inbounds'));
      await checkSettings(await rowsIn(db, entryId, 'settings'));
    },
    /** Converts an error of {@link check} to a refusal. */
    refusalOf(error: unknown): UndoRefusal {
      if (error instanceof DomainError) return { code: error.code, params: { ...error.params }, entryId: 0 };
      if (!(error instanceof ValidationError)) throw error;
      const [first] = error.issues;
      return { code: 'journal.invalidToday', params: { text: first?.message ?? error.message }, entryId: 0 };
    },
  };
}
