import { join } from 'node:path';

/** Where the parts of the application are, in the package and in development alike: below the folder of package.json. */
export interface AppFiles {
  renderer: string;
  preload: string;
  serverEntry: string;
  icons: string;
  /** The process that reads all panels. */
  panelsEntry: string;
  /** The process for long work on panels. */
  maintenanceEntry: string;
  /** Where a core that is part of the package lies. */
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
