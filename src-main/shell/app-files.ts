import { join } from 'node:path';

/** Paths of the application's parts, in the package and in development alike: below the folder of package.json. */
export interface AppFiles {
  renderer: string;
  preload: string;
  serverEntry: string;
  icons: string;
  /** The process that reads all panels. */
  panelsEntry: string;
  /** The process for long jobs on panels. */
  maintenanceEntry: string;
  /** Path of a packaged core. */
  resources: string;
}

export function appFiles(appPath: string): AppFiles {
  return {
    renderer: join(appPath, 'dist', 'renderer'),
    preload: join(appPath, 'dist', 'desktop', 'preload.cjs'),
    serverEntry: join(appPath, 'dist', 'server', 'main.js'),
    panelsEntry: join(appPath, 'dist', 'desktop', 'panels-main.js'),
    maintenanceEntry: join(appPath, 'dist', 'desktop', 'maintenance-main.js'),
    resources: process.env['PANEL_RESOURCES'] ?? join(appPath, 'resources'),
    icons: join(appPath, 'resources', 'icons'),
  };
}
