import { fileURLToPath } from 'node:url';

/** Where the core and its files come with the program. A package keeps them outside of its archive: a core inside could not be run. */
export const RESOURCES = process.env['PANEL_RESOURCES'] ?? fileURLToPath(new URL('../../resources', import.meta.url));

/** The built web interface. Said here, two folders deep, since the built server lies as deep in `dist/server`. */
export const WEB = fileURLToPath(new URL('../../dist/renderer', import.meta.url));

/** How an operator calls the administration: an installed package has a command of its own. */
export const ADMIN_COMMAND = process.env['PANEL_COMMAND'] ?? 'npm run admin --';
