import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { StoredPlan } from '../../plans/present.ts';
import { plansByIds } from '../../plans/repository.ts';
import type { AttachmentInput, ClientInput } from '../contract.ts';
import type { InboundFacts } from '../rules/credential-rules.ts';
import { findClashes, type GivenCredentials } from '../rules/identity-check.ts';
import { loadClients } from '../storage/load-clients.ts';
import { checkEmail, checkGroup, checkSubId } from '../rules/name-rules.ts';
import { filledFrom } from '../rules/plan-rules.ts';
import { ownersOfSubIds } from '../storage/repository-read.ts';
import { saveClients } from '../storage/save-clients.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import type { UserChanges } from '../storage/user-changes.ts';
import {
  attach,
  complete,
  credentialsOf,
  flowOf,
  losesCredential,
  mergeInput,
  newClient,
  setFlow,
  takeAttachments,
  takePassword,
  type WorkingClient,
} from './working-client.ts';

/** A client that should exist on these inbounds. */
export interface Placement {
  input: ClientInput;
  inboundIds: readonly number[];
  /** What the client has on some of these inbounds alone. */
  attachments?: readonly AttachmentInput[];
}

export interface PlacingRules {
  /**
   * Whether an existing e-mail is attached when both subIds are equal and not empty: it is the same client then, and a
   * repeated call changes nothing. Otherwise it is refused.
   */
  attachesExisting: boolean;
  /** Whether a client may be created without an inbound. */
  allowsUnattached: boolean;
  /** Code of the refusal of a taken e-mail; its parameter is `email`. */
  emailTakenCode: 'client.emailTaken' | 'client.duplicateEmail';
  /** The single inbound whose entries are placed: their passwords apply to this attachment. */
  inbound?: InboundFacts;
  /** A client that has another credential elsewhere is refused instead of losing it. */
  keepsCredentials?: boolean;
}

export interface Placed {
  /** Per placement, in order: the reason of a refusal, or null. Refused ones changed nothing. */
  errors: (DomainError | null)[];
  /** Folded e-mails of the clients that were created. */
  createdKeys: string[];
  changes: UserChanges;
}

/**
 * Creates and attaches any number of clients with a fixed number of statements. Each placement sees those before it: a
 * repeated e-mail or subId within the call is refused like one in the store.
 */
export async function placeClients(
  trx: WriteTransaction,
  requested: readonly Placement[],
  rules: PlacingRules,
  { traffic, nowMs }: { traffic: ClientTrafficPort; nowMs: number },
): Promise<Placed> {
  const plans = await plansOf(trx, requested);
  const placements = requested.map((placement) => withInbounds(placement, plans));
  const errors = placements.map((placement) => refusal(() => checkShape(placement, rules, plans)));
  const open = placements.filter((_, at) => errors[at] === null);
  const { clients, inbounds } = await loadClients(
    trx,
    open.map(({ input }) => foldText(input.email)),
    open.flatMap(({ inboundIds }) => inboundIds),
  );
  if (rules.inbound !== undefined) inbounds.set(rules.inbound.id, rules.inbound);
  const subIds = new Set(open.flatMap(({ input }) => input.subId || []));
  const takenSubIds = subIds.size === 0 ? new Set<string>() : await subIdsInUse(trx, subIds);

  const given = new Map<WorkingClient, GivenCredentials>();
  const madeBy = new Map<WorkingClient, number[]>();
  placements.forEach((placement, at) => {
    if (errors[at] !== null) return;
    const { input } = placement;
    errors[at] = refusal(() => {
      const key = foldText(input.email);
      const existing = clients.get(key);
      if (existing === undefined) {
        if (takenSubIds.has(input.subId ?? '')) throw new DomainError('client.subIdTaken', { subId: input.subId! });
      } else if (!rules.attachesExisting || !input.subId || input.subId !== existing.values.subId)
        throw new DomainError(rules.emailTakenCode, { email: input.email });
      const wanted = placement.inboundIds.map((id) => knownInbound(inbounds, id));
      const plan = plans.get(input.planId ?? 0);
      const client = existing ?? newClient(plan === undefined ? input : filledFrom(plan, input, nowMs), nowMs);
      place(client, input, wanted, existing === undefined ? null : rules);
      const own = (placement.attachments ?? []).filter(({ inboundId }) => placement.inboundIds.includes(inboundId));
      const keys = takeAttachments(client, own);
      given.set(client, { ...credentialsOf(client), keys });
      complete(client);
      clients.set(key, client);
      takenSubIds.add(client.values.subId);
      madeBy.set(client, [...(madeBy.get(client) ?? []), at]);
    });
  });

  const clashes = await findClashes(trx, [...madeBy.keys()], (client) => given.get(client)!);
  for (const { client, error } of clashes) {
    for (const at of madeBy.get(client) ?? []) errors[at] = error;
    madeBy.delete(client);
  }
  const changes = await saveClients(trx, [...madeBy.keys()], traffic, nowMs);
  const created = [...madeBy.keys()].filter(({ stored }) => stored === null);
  return { errors, createdKeys: created.map(({ values }) => foldText(values.email)), changes };
}

/** The plans named by new clients. */
async function plansOf(trx: WriteTransaction, placements: readonly Placement[]): Promise<Map<number, StoredPlan>> {
  return plansByIds(trx, [...new Set(placements.flatMap(({ input }) => input.planId || []))]);
}

/** A placement without inbounds gets those of its plan. */
function withInbounds(placement: Placement, plans: ReadonlyMap<number, StoredPlan>): Placement {
  if (placement.inboundIds.length > 0) return placement;
  return { ...placement, inboundIds: plans.get(placement.input.planId ?? 0)?.inboundIds ?? [] };
}

function checkShape(
  { input, inboundIds }: Placement,
  { allowsUnattached }: PlacingRules,
  plans: ReadonlyMap<number, StoredPlan>,
): void {
  checkEmail(input.email);
  checkSubId(input.subId ?? '');
  checkGroup(input.group ?? '', 'client.group');
  if (input.planId && !plans.has(input.planId)) throw new DomainError('client.planUnknown', { id: input.planId });
  if (inboundIds.length === 0 && !allowsUnattached) throw new DomainError('client.inboundRequired');
}

/**
 * Nothing of `client` changes when one of the inbounds cannot carry it.
 * @param existing how an existing client takes the input; null = it is new and was created from it
 */
function place(
  client: WorkingClient,
  input: ClientInput,
  wanted: readonly InboundFacts[],
  existing: PlacingRules | null,
): void {
  const flow = input.flow ?? flowOf(client);
  const before = client.links;
  try {
    for (const inbound of wanted) attach(client, inbound, flow);
    if (existing?.keepsCredentials === true && losesCredential(client, input, existing.inbound?.id ?? 0))
      throw new DomainError('client.credentialsDiffer', { email: input.email });
  } catch (error) {
    client.links = before;
    throw error;
  }
  if (existing === null) return;
  const { password, ...rest } = input;
  if (existing.inbound === undefined) mergeInput(client, input);
  else {
    mergeInput(client, rest);
    takePassword(client, existing.inbound.id, password ?? '');
  }
  if (input.flow !== undefined) setFlow(client, input.flow, new Set(wanted.map(({ id }) => id)));
}

/** @throws {DomainError} `client.inboundUnknown` */
export function knownInbound(inbounds: ReadonlyMap<number, InboundFacts>, id: number): InboundFacts {
  const inbound = inbounds.get(id);
  if (inbound === undefined) throw new DomainError('client.inboundUnknown', { id });
  return inbound;
}

async function subIdsInUse(trx: WriteTransaction, subIds: ReadonlySet<string>): Promise<Set<string>> {
  return new Set((await ownersOfSubIds(trx, [...subIds])).map(({ subId }) => subId));
}

function refusal(check: () => void): DomainError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
