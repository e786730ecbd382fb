import type { Basics } from '../basics.ts';
import type { StepUpProof } from '../../contract/step-up-proof.ts';
import { createAttemptGuard, type Attempt } from './sign-in/attempt-guard.ts';
import {
  RECENT_SIGN_IN_MS,
  type FirstCredentials,
  type LoginBody,
  type SessionView,
  type UpdateUserBody,
} from './contract.ts';
import { createCredentials, type CredentialCaller, type DelicateChange } from './credentials.ts';
import { createFirstAdmin } from './first-start/first-admin.ts';
import { createFirstCredentials } from './first-start/first-credentials.ts';
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hash.ts';
import * as rows from './repository.ts';
import {
  createSessionStore,
  type FoundSession,
  type OpenedSession,
  type SessionSettings,
  type Visitor,
} from './session-store.ts';
import { createSetupTickets } from './first-start/setup-tickets.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import { createVisitorCsrf } from './sign-in/visitor-csrf.ts';

export interface SessionServiceDeps extends Pick<Basics, 'store' | 'clock' | 'monotonic' | 'publish' | 'log'> {
  settings: {
    current(): SessionSettings;
    /** Key that signs visitors' tokens; never blank. */
    secret(): Promise<string>;
  };
  passwords?: PasswordHasher;
  /** Another source of admin passwords. */
  isRightElsewhere?: (username: string, password: string) => Promise<boolean>;
  /** Called when sessions end for any reason but time, so that their sockets are closed at once. */
  onSessionsEnded?: () => void;
}

/** Signing in and out, sessions, and the admin's credentials. */
export function createSessionService(deps: SessionServiceDeps) {
  const {
    store,
    clock,
    monotonic,
    publish,
    log,
    passwords = createPasswordHasher(),
    onSessionsEnded = () => {},
  } = deps;
  /** Open pages list the sessions. */
  const tell = (): void => publish({ type: 'invalidate', resource: 'settings' });
  const ended = (): void => {
    onSessionsEnded();
    tell();
  };
  const { isRightElsewhere = () => Promise.resolve(false) } = deps;
  const settings = () => deps.settings.current();
  const guard = createAttemptGuard(monotonic);
  const sessions = createSessionStore({ store, settings, clock });
  const visitors = createVisitorCsrf({ secret: () => deps.settings.secret(), clock });
  const tickets = createSetupTickets(clock);
  /** The ticket of the first start; empty if this is not the first start. */
  let firstTicket = '';
  const firstCredentials = createFirstCredentials(clock);
  const credentials = createCredentials({ store, sessions, settings, guard, passwords, clock, log });
  const firstAdmin = createFirstAdmin({ store, passwords, clock });
  const signIn = createSignIn({
    store,
    sessions,
    settings,
    guard,
    passwords,
    isRightElsewhere,
    clock,
    publish,
    log,
  });

  return {
    /** Session of a cookie value; null when it is not valid now. */
    session: (cookie: string): Promise<FoundSession | null> => sessions.find(cookie),
    /** Token of a visitor's signed cookie; null when it is forged or too old. */
    visitorCsrfToken: (cookie: string): Promise<string | null> => visitors.read(cookie),
    /** A new cookie and token for a visitor. Nothing is stored. */
    issueVisitorToken: (): Promise<{ cookie: string; token: string }> => visitors.issue(),

    async signIn(body: LoginBody, visitor: Visitor): Promise<OpenedSession> {
      const opened = await signIn(body, visitor);
      if (visitor.sessionIdHash !== null) onSessionsEnded();
      tell();
      return opened;
    },
    async signOut(idHash: string): Promise<void> {
      await sessions.end(idHash);
      ended();
    },
    isTwoFactorOn: (): boolean => settings().twoFactorEnable,

    async updateUser(caller: CredentialCaller, body: UpdateUserBody, visitor: Visitor): Promise<OpenedSession | null> {
      const opened = await credentials.updateUser(caller, body, visitor);
      firstCredentials.forget();
      ended();
      return opened;
    },
    /** As in {@link createCredentials}: for changes that a stolen session must not be able to make. */
    verifyStepUp: (caller: CredentialCaller, proof: StepUpProof, address: string): Promise<void> =>
      credentials.verifyStepUp(caller, proof, address),
    /** As in {@link createCredentials}: for codes that are checked elsewhere. */
    beginGuess: (caller: CredentialCaller, address: string): Promise<Attempt | null> =>
      credentials.beginGuess(caller, address),
    /** The same before others get access; a recent sign-in suffices as proof. @throws {DomainError} as it does */
    async proveUnlessRecent({ caller, signedInAtMs, address, proof }: DelicateChange): Promise<void> {
      const isRecent = signedInAtMs !== null && clock() - signedInAtMs < RECENT_SIGN_IN_MS;
      if (!isRecent) await credentials.verifyStepUp(caller, proof, address);
    },

    async listSessions(caller: CredentialCaller, currentIdHash: string | null): Promise<SessionView[]> {
      return sessions.list(await credentials.accountOf(caller), currentIdHash);
    },
    /** Ends the session of this id, or all but the current one. @throws {DomainError} `session.unknown` */
    async endSessions(caller: CredentialCaller, id: string | undefined, currentIdHash: string | null): Promise<void> {
      const adminId = await credentials.accountOf(caller);
      if (id === undefined) await sessions.endOthers(adminId, currentIdHash);
      else await sessions.endById(adminId, id);
      ended();
    },

    /**
     * Creates the first admin. @returns its credentials and the path of a one-time link below the base path, to be
     * shown once; null when there is an admin.
     */
    async ensureAdmin(): Promise<{ username: string; password: string; setupPath: string } | null> {
      const made = await firstAdmin.ensureAdmin();
      if (made === null) return null;
      firstTicket = tickets.issue();
      firstCredentials.hold(made);
      return { ...made, setupPath: `setup/${firstTicket}` };
    },
    async resetAdmin(options: { disableTwoFactor: boolean }): Promise<{ username: string; password: string }> {
      const made = await firstAdmin.resetAdmin(options);
      firstCredentials.forget();
      ended();
      return made;
    },
    /** A one-time link, below the base path, that signs a browser in: for the owner of this machine. */
    issueSetupPath: (): string => `setup/${tickets.issue()}`,
    isSetupOpen: tickets.isOpen,
    /** Credentials of the first start, for the session opened by its link. */
    firstCredentials: (idHash: string | null): FirstCredentials | null => firstCredentials.of(idHash),
    forgetFirstCredentials(idHash: string | null): void {
      if (firstCredentials.of(idHash) !== null) firstCredentials.forget();
    },
    /** Uses a one-time link up. @returns null when it is no longer valid. */
    async enterBySetup(token: string, visitor: Visitor): Promise<(OpenedSession & { isFirstStart: boolean }) | null> {
      const admin = await rows.findFirstAdmin(store.reader);
      if (admin === undefined || !tickets.redeem(token)) return null;
      log.info('session.setupUsed', { address: visitor.address });
      const opened = await store.write((trx) => sessions.open(trx, admin, visitor));
      const isFirstStart = token === firstTicket;
      if (isFirstStart) firstCredentials.grantTo(opened.idHash);
      tell();
      return { ...opened, isFirstStart };
    },
  };
}
export type SessionService = ReturnType<typeof createSessionService>;
