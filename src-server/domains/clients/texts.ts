/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'client.added': 'Inbound client(s) have been added.',
  'client.updated': 'Inbound client has been updated.',
  'client.deleted': 'Inbound client has been deleted.',
  'client.attached': 'The client has been attached.',
  'client.detached': 'The client has been detached.',
  'client.trafficReset': 'Traffic has been reset.',
  'client.allTrafficReset': 'Traffic of all clients has been reset.',
  'client.trafficUpdated': 'Traffic has been updated.',

  'client.emailRequired': 'client email is required',
  'client.emailInvalid': 'client email contains an invalid character: {email}',
  'client.subIdInvalid': 'client subId contains an invalid character: {subId}',
  'client.inboundRequired': 'at least one inbound is required',
  'client.emailTaken': 'email already in use: {email}',
  'client.subIdTaken': 'subId already in use: {subId}',
  'client.duplicateEmail': 'Duplicate email: {email}',
  'client.duplicateSubId': 'Duplicate subId: {subId}',
  'client.notFound': 'client not found',
  'client.unknown': 'client "{email}" not found in any inbound or client record',
  'client.inboundUnknown': 'inbound {id}: record not found',
  'client.protocolWithoutClients': 'protocol {protocol} does not support clients',
  'client.credentialTaken':
    '{field} of {email} is the same to the core as that of {other} on inbound {inboundId}; give one of them another {field}',
};
