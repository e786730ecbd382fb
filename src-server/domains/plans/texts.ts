/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'plan.saved': 'The plan has been saved.',
  'plan.deleted': 'The plan has been deleted.',
  'plan.unknown': 'there is no plan {id}; choose another one, or none',
  'plan.nameTaken': 'there is a plan {name} already; choose another name',
  'plan.tooMany': 'there are {max} plans already; delete one first',
  'plan.inboundUnknown': 'inbound {id} does not exist any more; take it out of the plan',
  'plan.protocolWithoutClients':
    'inbound {id} has no clients, since its protocol is {protocol}; take it out of the plan',
};
