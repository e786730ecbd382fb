/** What this domain says. */
export const texts: Readonly<Record<string, string>> = {
  'session.invalidInput': 'The input data format is invalid.',
  'session.usernameRequired': 'Username is required',
  'session.passwordRequired': 'Password is required',
  'session.refused': 'Invalid username or password or two-factor code.',
  'session.overloaded': 'Too many sign-ins are being checked right now. Try again in a moment.',
  'session.signedIn': 'You have successfully logged into your account.',
  'session.currentInvalid': 'The current username or password is invalid',
  'session.newEmpty': 'The new username and password are empty',
  'session.twoFactorCode': 'invalid two factor code',
  'session.usernameTaken': 'another admin has this username',
  'session.userUpdated': 'The admin credentials have been changed. All other sessions have ended.',
  'session.stepUpRequired': 'Confirm this change with your current password or a two-factor code.',
  'session.stepUpFailed': 'The current password or two-factor code is wrong.',
  'session.unknown': 'session not found',
  'session.noAdmin': 'there is no admin account',
  'session.ended': 'The sessions have been ended.',
};
