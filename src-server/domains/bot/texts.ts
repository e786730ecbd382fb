/** English texts of the messaging bot's error codes and messages. */
export const texts: Readonly<Record<string, string>> = {
  'bot.testSent': 'Test message sent.',
  'bot.backupSent': 'Backup sent.',
  'bot.disabled': 'The messaging bot is not enabled.',
  'bot.notRunning': 'The messaging bot is not running. Check its token and its server.',
  'bot.noToken': 'The messaging bot has no token.',
  'bot.noChat': 'No admin chat is configured.',
  'bot.tokenRefused': 'The API server refuses the token: {reason}. It was revoked or mistyped; ask for a new one.',
  'bot.conflict':
    'Another program receives the messages of this bot: {reason}. Stop it, or give this panel a bot of its own.',
  'bot.rateLimited': 'The API server asks to wait {seconds} seconds.',
  'bot.apiRefused': 'The API server answers {status}: {reason}',
  'bot.unreachable': 'The API server is not reached: {reason}',
  'bot.webhookFailing': 'The API server cannot bring messages to this panel: {reason}',
  'bot.chatRefused': 'Chat {chat}: {reason}',
  'bot.backupTooLarge': 'Even compressed the backup is larger than {limit}, the most that messengers take from a bot.',
};
