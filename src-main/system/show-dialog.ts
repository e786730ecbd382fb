import { dialog } from 'electron';
import type { ShowDialog } from '../updates/updates.ts';

/** Shows a system dialog; closing it counts as the last button. */
export const showDialog: ShowDialog = async ({ message, detail = '', buttons }) => {
  const last = buttons.length - 1;
  const { response } = await dialog.showMessageBox({
    type: 'info',
    message,
    detail,
    buttons,
    defaultId: last,
    cancelId: last,
    noLink: true,
  });
  return response;
};
