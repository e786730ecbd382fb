/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'traffic.clientUnknown': 'client "{email}" not found',
  'traffic.rangeEmpty': 'the range is empty: "from" must be before "to"',
  'traffic.recounted': 'The counters have been recomputed from the ledger.',
};
