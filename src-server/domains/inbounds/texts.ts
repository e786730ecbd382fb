/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'inbound.created': 'Inbound has been successfully created.',
  'inbound.updated': 'Inbound has been successfully updated.',
  'inbound.deleted': 'Inbound has been successfully deleted.',
  'inbound.bulkDeleted': 'Inbounds have been deleted.',
  'inbound.trafficReset': 'Inbound traffic has been reset.',
  'inbound.allTrafficsReset': 'Traffic of all inbounds has been reset.',
  'inbound.clientsDeleted': 'Clients of the inbound have been deleted.',

  'inbound.notFound': 'record not found',
  'inbound.bulkNotFound': 'inbound not found',
  'inbound.settingsEmpty': 'inbound settings is empty',
  'inbound.portTaken': 'port {port} ({transports}) already used by inbound {name} on {listen}',
  'inbound.portOfCore': 'port {port} (tcp) already used by the {use} on 127.0.0.1',
  'inbound.portOfTemplate': 'port {port} ({transports}) already used by inbound {tag} of the core template on {listen}',
  'inbound.tagTaken': 'tag {tag} already used by inbound {name}',
  'inbound.portOfPanel': 'port {port} (tcp) already used by this panel: {use}',
  'inbound.portForeign':
    'port {port} ({transport}) is used by another program on this machine; choose another port or stop that program',
  'inbound.tagExhausted': 'could not pick a unique inbound tag for port: {port}',
  'inbound.coreRefused': 'the core refuses this inbound: {text}',
  'inbound.nodeUnknown': 'node #{id} not found',
  'inbound.serverUnknown': 'server {id} not found',
  'inbound.serverAlone': 'this panel has its database for itself, so no other server can run its inbounds',
  'inbound.serverOfNode': 'an inbound on a node is run by that node and by no other server',
  'inbound.clientsUnsupported': 'protocol {protocol} does not support clients',
  'inbound.importUnreadable': 'data is not the JSON text of an exported inbound',
};
