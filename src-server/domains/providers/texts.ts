/** English texts of this domain. */
export const texts: Readonly<Record<string, string>> = {
  'providers.unknownAction': 'unknown action',
  'providers.unreachable': 'the provider did not answer: {text}',
  'providers.refused': '{text}',
  'providers.notRegistered': 'tunnel not registered: missing access_token or device_id',
  'providers.keysRequired': 'privateKey and publicKey must be WireGuard keys: 44 characters of base64',
  'providers.invalidInterval': 'invalid tunnel update interval: a whole number of days, 0 for never',
  'providers.licenseRequired': 'license is required',
  'providers.invalidCountry': 'invalid country ID',
  'providers.tokenRequired': 'token is required',
  'providers.keyRequired': 'private key cannot be empty',
};
