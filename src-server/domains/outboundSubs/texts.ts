/** English texts of this domain. */
export const texts: Readonly<Record<string, string>> = {
  'outboundSub.created': 'The outbound subscription has been added.',
  'outboundSub.updated': 'The outbound subscription has been changed.',
  'outboundSub.deleted': 'The outbound subscription has been deleted.',
  'outboundSub.restarted':
    'Done. The core has been restarted, because it takes a change of the default outbound in no other way.',
  'outboundSub.createInvalid': 'Failed to create outbound subscription',
  'outboundSub.updateInvalid': 'Failed to update outbound subscription',
  'outboundSub.createFailed': 'Failed to create outbound subscription ({text})',
  'outboundSub.updateFailed': 'Failed to update outbound subscription ({text})',
  'outboundSub.refreshFailed': 'Refresh failed ({text})',
  'outboundSub.previewFailed': 'Failed to fetch/parse subscription ({text})',
  'outboundSub.notFound': 'subscription not found',
  'outboundSub.invalidId': 'Invalid id',
};
