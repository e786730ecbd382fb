import { ClientInput, type ClientRecord } from '#contract/clients';
import type { InboundOption } from '#contract/inbounds';
import type { Plan } from '#contract/plans';
import * as z from 'zod';
import { daysOf, endOfTerm, type StoredTerm } from '../../../forms/dates/term.ts';

const DAY_MS = 86_400_000;
const MAX_PERIOD_DAYS = 36_500;
const LAST_MONTH_DAY = 31;
/** What a renewal begins with when it is first chosen. */
const FIRST_DAYS = { none: 1, period: 30, monthDay: 1 } as const;

const { shape: wire } = ClientInput;

/** What the editor shows of a client. */
export const ClientForm = z
  .object({
    email: z.string().trim().min(1).max(255),
    inboundIds: z.array(z.string()),
    /** 0 = unlimited. */
    quotaBytes: z.int().min(0),
    /** Days from now or its last day; null = never. */
    term: z.union([z.number(), z.string()]).nullable(),
    limitIp: z.int().min(0),
    group: z.string().max(64),
    /** Id as text; empty = none. */
    planId: z.string(),
    /** The days count from the first traffic on, not from now. */
    startsAtFirstUse: z.boolean(),
    comment: z.string().max(2048),
    /** How it comes back by itself when its period is over. */
    renewal: z.enum(['none', 'period', 'monthDay']),
    /** Days of the period, or the day of the month; means nothing without renewal. */
    renewalDays: z.int().min(1).max(MAX_PERIOD_DAYS),
    enable: z.boolean(),
    /** Credentials: empty = made by the server for a new client, kept for a stored one. */
    subId: wire.subId.unwrap(),
    id: wire.id.unwrap(),
    password: wire.password.unwrap(),
    auth: wire.auth.unwrap(),
    /** Text: what is stored stays, even when it is none of the flows on offer. */
    flow: z.string(),
    security: z.string(),
    /** Tag of a vless reverse proxy; empty = none. */
    reverseTag: z.string().max(255),
    /** 0 = none. */
    tgId: z.int().min(0),
  })
  .refine(({ renewal, renewalDays }) => renewal !== 'monthDay' || renewalDays <= LAST_MONTH_DAY, {
    path: ['renewalDays'],
    params: { rule: 'lte', param: String(LAST_MONTH_DAY) },
  });
export type ClientForm = z.infer<typeof ClientForm>;

export const NEW_CLIENT: ClientForm = {
  email: '',
  inboundIds: [],
  quotaBytes: 0,
  term: null,
  limitIp: 0,
  group: '',
  planId: '',
  startsAtFirstUse: false,
  comment: '',
  renewal: 'none',
  renewalDays: FIRST_DAYS.none,
  enable: true,
  subId: '',
  id: '',
  password: '',
  auth: '',
  flow: '',
  security: '',
  reverseTag: '',
  tgId: 0,
};

/** The flow a new client begins with: Vision where one of its inbounds can use it; the others go without. */
export const firstFlow = (inbounds: readonly Pick<InboundOption, 'tlsFlowCapable'>[]): '' | 'xtls-rprx-vision' =>
  inbounds.some(({ tlsFlowCapable }) => tlsFlowCapable) ? 'xtls-rprx-vision' : '';

/** Fields of the form that the wire calls otherwise. */
const FORM_NAMES: Readonly<Record<string, keyof ClientForm>> = {
  totalGB: 'quotaBytes',
  expiryTime: 'term',
  reset: 'renewalDays',
  resetDay: 'renewalDays',
  reverse: 'reverseTag',
  uuid: 'id',
};

/** The field of the form for one of the wire: `client.totalGB` of an addition, `totalGB` of an update. */
export function formPlace(field: string): string {
  const own = field.replace(/^client\./, '');
  const [name = ''] = own.split('.');
  return FORM_NAMES[name] ?? own;
}

/** Largest number that {@link ClientForm.renewalDays} takes with this renewal. */
export const maxRenewalDays = (renewal: ClientForm['renewal']): number =>
  renewal === 'monthDay' ? LAST_MONTH_DAY : MAX_PERIOD_DAYS;

/** The number that a renewal starts with. */
export const firstRenewalDays = (renewal: ClientForm['renewal']): number => FIRST_DAYS[renewal];

/** Whole days between now and the expiry: what the form shows for a moment. */
function daysLeft(expiryTime: number, nowMs: number): number | null {
  if (expiryTime === 0) return null;
  return Math.ceil((expiryTime < 0 ? -expiryTime : expiryTime - nowMs) / DAY_MS);
}

/** What the days of an untouched form stand for; undefined = no moment. */
export function storedTerm({ expiryTime }: ClientRecord, nowMs: number): StoredTerm | undefined {
  return expiryTime > 0 ? { days: daysLeft(expiryTime, nowMs)!, endMs: expiryTime } : undefined;
}

export function toForm(client: ClientRecord, inboundIds: readonly number[], nowMs: number): ClientForm {
  return {
    email: client.email,
    inboundIds: inboundIds.map(String),
    quotaBytes: client.totalGB,
    term: daysLeft(client.expiryTime, nowMs),
    limitIp: client.limitIp,
    group: client.group,
    planId: client.planId > 0 ? String(client.planId) : '',
    startsAtFirstUse: client.expiryTime < 0,
    comment: client.comment,
    ...renewalOf(client),
    enable: client.enable,
    subId: client.subId,
    id: client.uuid,
    password: client.password,
    auth: client.auth,
    flow: client.flow,
    security: client.security,
    reverseTag: client.reverse?.tag ?? '',
    tgId: client.tgId,
  };
}

export function renewalOf({
  reset,
  resetDay,
}: Pick<ClientRecord, 'reset' | 'resetDay'>): Pick<ClientForm, 'renewal' | 'renewalDays'> {
  if (resetDay > 0) return { renewal: 'monthDay', renewalDays: resetDay };
  if (reset > 0) return { renewal: 'period', renewalDays: reset };
  return { renewal: 'none', renewalDays: FIRST_DAYS.none };
}

/** What choosing a plan fills in. */
export function fromPlan(plan: Plan): Partial<ClientForm> {
  return {
    quotaBytes: plan.quotaBytes,
    term: plan.days === 0 ? null : plan.days,
    startsAtFirstUse: plan.days > 0 && plan.startsAtFirstUse,
    limitIp: plan.limitIp,
    ...renewalOf(plan),
    ...(plan.group === '' ? {} : { group: plan.group }),
    ...(plan.flow === '' ? {} : { flow: plan.flow }),
    ...(plan.inboundIds.length === 0 ? {} : { inboundIds: plan.inboundIds.map(String) }),
  };
}

/**
 * The client to send. `stored` is the row the form started from (null for a new client): an update replaces the row, so
 * everything is sent, and an expiry that was not touched keeps its exact moment.
 * @param openedMs when the form was filled in
 */
export function toWire(
  form: ClientForm,
  stored: ClientRecord | null,
  openedMs: number,
  nowMs: number,
): z.input<typeof ClientInput> {
  const isKeptTerm = stored !== null && (form.term === null || stored.expiryTime < 0 === form.startsAtFirstUse);
  const isExpiryKept = isKeptTerm && daysLeft(stored.expiryTime, openedMs) === form.term;
  const { subId, id, password, auth } = form;
  return {
    ...withoutEmpty({ subId, id, password, auth }),
    // The server says so at the field when it takes neither.
    flow: form.flow as '',
    security: form.security as '',
    reverse: form.reverseTag === '' ? null : { tag: form.reverseTag },
    tgId: form.tgId,
    email: form.email,
    totalGB: form.quotaBytes,
    expiryTime: isExpiryKept ? stored.expiryTime : wireTerm(form, nowMs),
    limitIp: form.limitIp,
    group: form.group,
    planId: Number(form.planId),
    comment: form.comment,
    reset: form.renewal === 'period' ? form.renewalDays : 0,
    resetDay: form.renewal === 'monthDay' ? form.renewalDays : 0,
    enable: form.enable,
  };
}

/** As the wire has it: a length from the first use on is negative. */
function wireTerm({ term, startsAtFirstUse }: ClientForm, nowMs: number): number {
  return term !== null && startsAtFirstUse ? -daysOf(term, nowMs) * DAY_MS : endOfTerm(term, nowMs);
}

/** An empty credential is left to the server. */
function withoutEmpty<T extends Record<string, string>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<T>;
}
