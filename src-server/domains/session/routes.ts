import type { Context } from 'koa';
import { DomainError } from '../../contract/domain-error.ts';
import { bind, type BindContext } from '../../http/bind.ts';
import type { RequestInfo } from '../../http/guards/caller.ts';
import { clearCookie, readCookie, SESSION_COOKIE, setCookie, VISITOR_COOKIE } from '../../http/guards/cookies.ts';
import { stateOf } from '../../http/request-state.ts';
import * as contract from './contract.ts';
import type { SessionService } from './service.ts';
import type { OpenedSession, Visitor } from './session-store.ts';
import { SETUP_LANGUAGES, setupPage, usedSetupPage, type SetupLanguage } from './first-start/setup-page.ts';
import { VISITOR_TOKEN_MS } from './sign-in/visitor-csrf.ts';

/** Mounts sign-in, sessions and the admin's credentials. */
export function sessionRoutes(ctx: BindContext, service: SessionService): void {
  bind(ctx, contract.login, async ({ body, request, koa }) => {
    enter(koa, await retryLater(koa, service.signIn(body, visitorOf(request))));
    return null;
  });
  bind(ctx, contract.logout, async ({ request, koa }) => {
    const idHash = sessionOf(request);
    if (idHash !== null) await service.signOut(idHash);
    clearCookie(koa, SESSION_COOKIE);
    noStore(koa);
    return { success: true as const };
  });
  bind(ctx, contract.getCsrfToken, ({ koa }) => csrfToken(koa, service));
  bind(ctx, contract.getPanelCsrfToken, ({ koa }) => csrfToken(koa, service));
  bind(ctx, contract.getTwoFactorEnable, () => service.isTwoFactorOn());

  bind(ctx, contract.updateUser, async ({ body, request, koa }) => {
    const opened = await retryLater(koa, service.updateUser(request.caller, body, visitorOf(request)));
    if (opened !== null) enter(koa, opened);
    return null;
  });
  bind(ctx, contract.listSessions, ({ request }) => service.listSessions(request.caller, sessionOf(request)));
  bind(ctx, contract.endSessions, async ({ body, request }) => {
    await service.endSessions(request.caller, body.id, sessionOf(request));
    return null;
  });

  bind(ctx, contract.getFirstCredentials, ({ request, koa }) => {
    noStore(koa);
    return service.firstCredentials(sessionOf(request));
  });
  bind(ctx, contract.forgetFirstCredentials, ({ request }) => {
    service.forgetFirstCredentials(sessionOf(request));
    return null;
  });

  bind(ctx, contract.showSetup, ({ params, koa }) => {
    noStore(koa);
    koa.type = 'html';
    const isOpen = service.isSetupOpen(params.token);
    if (!isOpen) koa.status = 404;
    return isOpen ? setupPage(languageOf(koa)) : usedSetupPage(languageOf(koa));
  });
  bind(ctx, contract.enterBySetup, async ({ params, request, koa }) => {
    noStore(koa);
    koa.type = 'html';
    const opened = await service.enterBySetup(params.token, visitorOf(request));
    koa.status = opened === null ? 404 : 303;
    if (opened === null) return usedSetupPage(languageOf(koa));
    enter(koa, opened);
    koa.set('Location', stateOf(koa).basePath + (opened.isFirstStart ? 'panel/first-run' : ''));
    return '';
  });
}

/** The browser's preferred language among those of these pages. */
function languageOf(koa: Context): SetupLanguage {
  const accepted = koa.acceptsLanguages(...SETUP_LANGUAGES);
  return SETUP_LANGUAGES.find((language) => language === accepted) ?? 'en';
}

/** A full queue of password checks is no verdict on the password: its status code tells programs so. */
async function retryLater<T>(koa: Context, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'session.overloaded') {
      koa.status = 429;
      koa.set('Retry-After', '1');
    }
    throw error;
  }
}

function enter(koa: Context, opened: OpenedSession): void {
  setCookie(koa, SESSION_COOKIE, opened.cookie, opened.maxAgeSec);
  clearCookie(koa, VISITOR_COOKIE);
  noStore(koa);
}

/**
 * The session's own token, otherwise the visitor's: kept while its cookie is valid, so that two open tabs do not
 * conflict.
 */
async function csrfToken(koa: Context, service: SessionService): Promise<string> {
  noStore(koa);
  const { session } = stateOf(koa);
  if (session !== null) return session.csrfToken;
  const cookie = readCookie(koa.headers.cookie, VISITOR_COOKIE);
  const held = cookie === null ? null : await service.visitorCsrfToken(cookie);
  if (held !== null) return held;
  const issued = await service.issueVisitorToken();
  setCookie(koa, VISITOR_COOKIE, issued.cookie, VISITOR_TOKEN_MS / 1000);
  return issued.token;
}

function visitorOf(request: RequestInfo): Visitor {
  return { address: request.address, userAgent: request.userAgent, sessionIdHash: sessionOf(request) };
}

function sessionOf({ caller }: RequestInfo): string | null {
  return caller.kind === 'session' ? caller.sessionIdHash : null;
}

function noStore(koa: Context): void {
  koa.set('Cache-Control', 'no-store');
}
