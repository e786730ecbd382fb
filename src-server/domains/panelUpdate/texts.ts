/** English texts of the panel's own update. */
export const texts: Readonly<Record<string, string>> = {
  'panelUpdate.started': 'The update has started.',
  'panelUpdate.channelChanged': 'Update channel changed',
  'panelUpdate.badFlag': 'invalid data ({value} is neither true nor false)',
  /** Requested by pages in the background: no text, no message on the screen. */
  'panelUpdate.unknown': '',
  'panelUpdate.unavailable': 'panel self-update is not available for this installation',
  'panelUpdate.running': 'a panel update is already in progress',
  'panelUpdate.failed': 'The update could not be started: {text}',
};
