/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'traffic.clientUnknown': 'client "{email}" not found',
  'traffic.rangeEmpty': 'the range is empty: "from" must be before "to"',
  'traffic.rangeTooLong': 'the range is longer than five years',
  'traffic.subjectUnknown': '"{name}" not found',
  'traffic.recounted': 'The counters have been recomputed from the ledger.',
  'traffic.quarantineUnknown': 'there is no quarantined difference {id}; it may have been settled already',
  'traffic.quarantineOwnerGone':
    '"{subject}" no longer exists, so nothing can be credited. Dismiss the difference instead.',
  'traffic.quarantineCredited': 'The bytes have been counted.',
  'traffic.quarantineDismissed': 'The difference has been dismissed.',
};
