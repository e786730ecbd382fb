/** English texts of the logs. */
export const texts: Readonly<Record<string, string>> = {
  'logs.noSyslog':
    'The panel keeps its own log and does not write to the system log. Switch the "Syslog" option off to see it.',
};
