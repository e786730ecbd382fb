/**
 * Several servers of one panel count under one GUID each: the first under that of the panel, the others with a slash
 * and the id of the server appended.
 */
export const sourceGuidOf = (panelGuid: string, serverId: string): string => `${panelGuid}/${serverId}`;

/** GUID of the panel that a core source belongs to, whichever server it runs on. */
export const panelOfSource = (sourceGuid: string): string => sourceGuid.split('/', 1)[0]!;
