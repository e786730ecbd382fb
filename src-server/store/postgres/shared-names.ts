/** First half of the key of the lock that each panel holds while it is connected; the other one is the hash of its server's id. */
export const PRESENCE_KEY = 7_276_303;

/** Of `NOTIFY`: something was committed. */
export const COMMITS = 'switchyard_commits';
/** What a transaction changed for servers that run inbounds of their own. */
export const CHANGES = 'switchyard_changes';
