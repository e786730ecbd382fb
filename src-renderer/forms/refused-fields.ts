/** Fields of the wire at which refusals belong that name no field, by their code. */
export const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  'client.emailRequired': 'email',
  'client.emailInvalid': 'email',
  'client.emailTaken': 'email',
  'client.duplicateEmail': 'email',
  'client.subIdInvalid': 'subId',
  'client.subIdTaken': 'subId',
  'client.duplicateSubId': 'subId',
  'client.inboundRequired': 'inboundIds',
  'host.addressNotBare': 'address',
  'plan.nameTaken': 'name',
  'session.usernameTaken': 'newUsername',
};
