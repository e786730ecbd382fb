/** How an operator calls the administration: an installed package has a command of its own. */
export const ADMIN_COMMAND = process.env['PANEL_COMMAND'] ?? 'npm run admin --';
