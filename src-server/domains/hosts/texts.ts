/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'host.added': 'The host has been added.',
  'host.updated': 'The host has been updated.',
  'host.deleted': 'The host has been deleted.',
  'host.unknown': 'host not found',
  'host.inboundUnknown': 'inbound not found',
  'host.addressInvalid': '"{address}" is no address: write a name or an IP, with :port behind it where one is meant',
  'host.addressNotBare': '"{address}" is no address: write a name or an IP alone; a port goes into the field Port',
  'host.tooMany': 'addresses times inbounds may be at most {max}',
  'host.groupTaken': 'the group {groupId} exists already; update it instead',
};
