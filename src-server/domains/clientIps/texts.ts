/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'clientIps.cleared': 'The log has been cleared.',
  'clientIps.merged': 'Client IPs merged',
  'clientIps.invalid': 'invalid data (a list of {clientEmail, ips: [{ip, timestamp}]} was expected)',
};
