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
  'client.groupInvalid': 'a group cannot be named {name}',
  'client.inboundRequired': 'at least one inbound is required',
  'client.credentialsDiffer':
    'client {email} has other credentials here; make them the same on both panels, or rename one of the two',
  'client.emailTaken': 'email already in use: {email}',
  'client.subIdTaken': 'subId already in use: {subId}',
  'client.duplicateEmail': 'Duplicate email: {email}',
  'client.duplicateSubId': 'Duplicate subId: {subId}',
  'client.notFound': 'client not found',
  'client.unknown': 'client "{email}" not found in any inbound or client record',
  'client.inboundUnknown': 'inbound {id}: record not found',
  'client.planUnknown': 'there is no plan {id}; choose another one, or none',
  'client.protocolWithoutClients': 'protocol {protocol} does not support clients',
  'client.credentialTaken':
    '{field} of {email} is the same to the core as that of {other} on inbound {inboundId}; give one of them another {field}',

  'client.linksSaved': 'The external links have been saved.',
  'client.linkKindUnknown': 'unknown external link kind: {kind}',
  'client.linkInvalid': 'unsupported or invalid share link: {value}',
  'client.linkNotHttp': 'external subscription must be an http(s) URL: {value}',
  'client.totalsTaken': 'success',
  'client.tooManyMasters': '{count} other panels push totals here already; wait a day after switching one of them off',

  'client.workCancelled': 'The work was cancelled; nothing has been changed.',

  'client.noAdjustment': 'no adjustment specified',
  'client.unlimitedExpiry': 'unlimited expiry',
  'client.reducesTime': 'reduction exceeds remaining time',
  'client.reducesDelay': 'reduction exceeds delay window',
  'client.unlimitedTraffic': 'unlimited traffic',
  'client.reducesQuota': 'reduction exceeds remaining quota',
  'client.limitTooLarge': 'the new limit is too large',
  'client.flowUnsupported': 'flow not supported on inbound',
  'client.importUnreadable': 'data must be the JSON text of an array of clients',
};
