/**
 * Several servers of one panel count under one GUID each: that of the panel for the first of them, and behind a stroke the id of
 * the server for the others.
 */
export const sourceGuidOf = (panelGuid: string, serverId: string): string => `${panelGuid}/${serverId}`;

/** GUID of the panel whose core a source is, whichever server it runs on. */
export const panelOfSource = (sourceGuid: string): string => sourceGuid.split('/', 1)[0]!;
