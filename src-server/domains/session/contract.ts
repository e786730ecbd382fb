import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/fields/form-flag.ts';
import { line } from '../../contract/fields/line.ts';

/** Longest password in characters; the hash accepts any length, a request does not. */
const Password = z.string().max(1024);
const TwoFactorCode = z.string().max(64);
/**
 * Number of refused sign-ins of one user name from one address within the window that lock it. The response for a
 * locked name is that for a wrong password; the rule itself is public. Times in ms.
 */
export const SIGN_IN_LOCK = { failures: 5, windowMs: 5 * 60_000, blockMs: 15 * 60_000 } as const;

/** Compared exactly at sign-in. */
const MAX_USERNAME_LENGTH = 64;

export const LoginBody = z.object({
  username: z.string().max(256).default(''),
  password: Password.default(''),
  /** Code from the authenticator app; required while two-factor sign-in is enabled. */
  twoFactorCode: TwoFactorCode.default(''),
});
export type LoginBody = z.output<typeof LoginBody>;

/** For this long after signing in, an admin may give others access without a new proof of identity. */
export const RECENT_SIGN_IN_MS = 15 * 60_000;

/** A new password with this many characters is accepted without a strength check. */
export const GOOD_PASSWORD_LENGTH = 10;
/** Least zxcvbn score (0 to 4) of a shorter one. */
export const FAIR_SCORE = 2;
/** Refusals of a new password that can be overruled with `acceptWeakPassword`. */
export const WEAK_PASSWORD = ['session.passwordWeak', 'session.passwordHoldsName'] as const;
export type WeakPassword = (typeof WEAK_PASSWORD)[number];

export const UpdateUserBody = z.object({
  oldUsername: z.string().max(256),
  oldPassword: Password,
  newUsername: line(MAX_USERNAME_LENGTH),
  newPassword: Password,
  /** Code from the authenticator app; required while two-factor sign-in is enabled. */
  twoFactorCode: TwoFactorCode.default(''),
  /** Accepts a new password although it is easy to guess. */
  acceptWeakPassword: FormFlag.optional(),
});
export type UpdateUserBody = z.output<typeof UpdateUserBody>;

/** A signed-in browser. Times in ms since 1970. */
export const SessionView = z.object({
  /** Id of the session, used to end it. */
  id: z.string(),
  /** Whether this is the session of the request. */
  current: z.boolean(),
  /** When it signed in, in ms since 1970. */
  createdAt: z.int(),
  /** When it ends, in ms since 1970. */
  expiresAt: z.int(),
  /** Address from which it signed in. */
  address: z.string(),
  /** User-Agent of the browser, cut to 512 characters; empty = not sent. */
  userAgent: z.string(),
});
export type SessionView = z.output<typeof SessionView>;

export const login = endpoint('POST', '/login', {
  onStandby: 'signsIn',
  access: 'public',
  summary: 'Signs in and sets the session cookie.',
  body: LoginBody,
  result: z.null(),
  message: 'session.signedIn',
  invalidMessage: 'session.invalidInput',
});

export const logout = endpoint('POST', '/logout', {
  onStandby: 'signsIn',
  access: 'public',
  summary: 'Ends the session of this browser.',
  result: z.object({
    /** Always true. */
    success: z.literal(true),
  }),
  response: 'raw',
});

export const getCsrfToken = endpoint('GET', '/csrf-token', {
  access: 'public',
  summary: 'Token that unsafe requests of this browser must carry in X-CSRF-Token.',
  result: z.string(),
});

export const getPanelCsrfToken = endpoint('GET', '/panel/csrf-token', {
  summary: 'As /csrf-token, for signed-in browsers.',
  result: z.string(),
});

export const getTwoFactorEnable = endpoint('POST', '/getTwoFactorEnable', {
  onStandby: 'answers',
  access: 'public',
  summary: 'Whether signing in asks for a two-factor code.',
  result: z.boolean(),
});

export const updateUser = endpoint('POST', '/panel/api/setting/updateUser', {
  summary: 'Changes the admin credentials; every other session ends.',
  body: UpdateUserBody,
  result: z.null(),
  message: 'session.userUpdated',
});

export const listSessions = endpoint('GET', '/panel/api/setting/sessions', {
  summary: 'Signed-in browsers of this admin, newest first.',
  result: z.array(SessionView),
});

export const endSessions = endpoint('POST', '/panel/api/setting/sessions/end', {
  summary: 'Ends one session, or all but the asking one when no id is given.',
  body: z.object({
    /** Id of the session, as in the list; absent = all but the session of the request. */
    id: z.string().max(64).optional(),
  }),
  result: z.null(),
  message: 'session.ended',
});

const SetupParams = z.object({
  /** Secret from the link, valid once. */
  token: z.string().max(64),
});

/** Credentials of the first start, until the browser that used its link has confirmed them as noted. */
export const FirstCredentials = z.object({ username: z.string(), password: z.string() });
export type FirstCredentials = z.output<typeof FirstCredentials>;

export const getFirstCredentials = endpoint('GET', '/panel/api/setting/firstCredentials', {
  summary:
    'Credentials that the first start made, for the session that its one-time link opened; null for everybody else and once they are stored.',
  result: FirstCredentials.nullable(),
});

export const forgetFirstCredentials = endpoint('POST', '/panel/api/setting/firstCredentials/forget', {
  summary: 'Says that the credentials of the first start are stored; they are not shown again.',
  result: z.null(),
});

export const showSetup = endpoint('GET', '/setup/:token', {
  access: 'public',
  summary: 'Page of the one-time link that the first start prints.',
  params: SetupParams,
  result: z.string(),
  response: 'raw',
  types: ['text/html'],
});

export const enterBySetup = endpoint('POST', '/setup/:token', {
  onStandby: 'signsIn',
  access: 'public',
  summary: 'Uses the one-time link up and signs this browser in.',
  params: SetupParams,
  result: z.string(),
  response: 'raw',
  types: ['text/html'],
});
