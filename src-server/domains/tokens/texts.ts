/** English texts of this domain. */
export const texts: Readonly<Record<string, string>> = {
  'token.nameRequired': 'token name is required',
  'token.nameTooLong': 'token name must be {max} characters or fewer',
  'token.nameTaken': 'a token with that name already exists',
  'token.invalidId': 'invalid token id',
  'token.unknown': 'token not found',
};
