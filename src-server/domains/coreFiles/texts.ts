/** English texts of installing cores and geo files. */
export const texts: Readonly<Record<string, string>> = {
  'coreFiles.installStarted': 'The installation has started.',
  'coreFiles.geoStarted': 'The update of the geo files has started.',
  'coreFiles.listFailed': 'Get Version ({text})',
  'coreFiles.unknownVersion': 'core version "{version}" is not in the fetched release list',
  'coreFiles.installRunning': 'a core installation is already in progress',
  'coreFiles.geoRunning': 'a geo file update is already in progress',
  'coreFiles.named':
    'This panel runs the core at {path}, which was named when it was started. Replace that file, or start the panel without naming a core.',
  'coreFiles.downloadFailed': 'The core could not be installed: {text}',
  'coreFiles.diskFull': 'There is no space left on the disk. Free some and try again; nothing was changed.',
  'coreFiles.unusable': 'The downloaded core cannot be used: {text}',
  'coreFiles.otherVersion': 'The downloaded core says that it is version {found}, not {version}.',
  'coreFiles.configRefused': 'Core v{version} refuses the present config, so it was not installed: {text}',
  'coreFiles.rolledBack': 'core v{version} failed to start and was rolled back ({text})',
  'coreFiles.unsafeName': 'invalid filename: contains unsafe characters or path traversal patterns',
  'coreFiles.unknownName': 'Invalid geofile name: "{name}" not in allowlist',
  'coreFiles.geoFailed': '{text}',
  'coreFiles.geoRefused': 'The core refuses the new geo files, so the present ones stay: {text}',
  'coreFiles.geoRolledBack': 'The core did not start with the new geo files, so the earlier ones are back: {text}',
};
