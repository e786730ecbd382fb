/** What this domain says. */
export const texts: Readonly<Record<string, string>> = {
  'events.unknownDelivery': 'there is no such delivery any more',
};
