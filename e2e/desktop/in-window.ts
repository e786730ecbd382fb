/**
 * Journeys of the web interface that `npm test` runs in the window of the application too, because something differs there,
 * with the reason. That the interface works there at all is shown by `first-client.e2e.ts`. `npm run soak -- window` runs the others.
 */
export const IN_WINDOW: Readonly<Record<string, string>> = {
  'keyboard.e2e.ts': 'the menu of the application and the shell have shortcuts of their own',
  'pages/logs.e2e.ts': 'lines arrive over a socket that the application opens, and are saved by it',
};
