/** English texts of this domain: the core's life cycle and the key generators. */
export const texts: Readonly<Record<string, string>> = {
  'core.notRunning': 'core is not running',
  'core.configInvalid': 'invalid core config: {text}',
  'core.noVerdict':
    'The core did not say whether it accepts this: {text}. Nothing was changed. The machine may be busy or short of memory; try again.',
  'core.notInstalled': '{text}',
  'core.startFailed': 'The core did not start: {text}',
  'core.commandFailed': 'The core could not run "{command}": {text}',
  'keys.badServerName': '"{name}" is no host name. Use one such as example.com.',
  'keys.unexpectedOutput': 'unexpected key generator output ({what}). Update the core.',
  'server.certHash': 'get cert hash ({text})',
  'server.remoteCertHash': 'get remote cert hash ({text})',
  'server.coreStopped': 'The core has been stopped.',
  'server.coreRestarted': 'The core has been restarted.',
};
