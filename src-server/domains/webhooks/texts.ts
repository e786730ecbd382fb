/** English texts of this domain. */
export const texts: Readonly<Record<string, string>> = {
  'webhooks.unknown': 'there is no such webhook',
  'webhooks.unknownAttempt': 'this delivery is not in the log any more',
  'webhooks.nameRequired': 'a webhook needs a name',
  'webhooks.url': 'a webhook needs an http:// or https:// address without user name and password',
  'webhooks.tooMany': 'there can be {max} webhooks',
};
