/**
 * Journeys of the web interface that `npm test` also runs in the application's window, where something differs; each
 * with its reason. `first-client.e2e.ts` shows that the interface works there. `npm run soak -- window` runs the
 * others.
 */
export const IN_WINDOW: Readonly<Record<string, string>> = {
  'keyboard.e2e.ts': 'the menu of the application and the shell have shortcuts of their own',
  'pages/logs.e2e.ts': 'lines arrive over a socket that the application opens, and are saved by it',
};
