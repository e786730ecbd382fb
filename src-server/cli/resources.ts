import { fileURLToPath } from 'node:url';

// The server's bundle is two folders below the root as well, so these paths hold in both.
/**
 * Where the shipped core and its files are. A package keeps them outside its archive: a core inside could not be run.
 */
export const RESOURCES = process.env['PANEL_RESOURCES'] ?? fileURLToPath(new URL('../../resources', import.meta.url));

/** The built web interface. */
export const WEB_INTERFACE = fileURLToPath(new URL('../../dist/renderer', import.meta.url));
/** How an operator calls the administration: an installed package has its own command. */
export const ADMIN_COMMAND = process.env['PANEL_COMMAND'] ?? 'npm run admin --';
