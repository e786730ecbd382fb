import { fileURLToPath } from 'node:url';

// The bundle of the server is two folders below the root as well, so these paths hold in both.
/** Where the core and its files come with the program. A package keeps them outside of its archive: a core inside could not be run. */
export const RESOURCES = process.env['PANEL_RESOURCES'] ?? fileURLToPath(new URL('../../resources', import.meta.url));

/** The built web interface. */
export const WEB_INTERFACE = fileURLToPath(new URL('../../dist/renderer', import.meta.url));
/** How an operator calls the administration: an installed package has a command of its own. */
export const ADMIN_COMMAND = process.env['PANEL_COMMAND'] ?? 'npm run admin --';
