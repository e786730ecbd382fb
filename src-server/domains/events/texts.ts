/** Log and error texts of this domain. */
export const texts: Readonly<Record<string, string>> = {
  'events.unknownDelivery': 'there is no such delivery any more',
  'events.notTaken': 'this recipient is switched off, or is no longer notified of this kind of event',
};
