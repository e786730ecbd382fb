/**
 * First half of the key of the lock that each panel holds while it is connected; the other half is the hash of its
 * server's id.
 */
export const PRESENCE_KEY = 7_276_303;

/** `NOTIFY` channel: something was committed. */
export const COMMITS = 'switchyard_commits';
/** `NOTIFY` channel: a transaction's changes for servers that run their own inbounds. */
export const CHANGES = 'switchyard_changes';
