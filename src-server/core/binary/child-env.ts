/** Variables of the panel that a core may see. An allow list, so that no secret of the panel is ever passed. */
const PASSED = new Set([
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GODEBUG',
  'GOGC',
  'GOMEMLIMIT',
  'GOMAXPROCS',
  'SYSTEMROOT',
  'WINDIR',
  'SYSTEMDRIVE',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
]);

/** The core would merge further files into its config, or look for relative paths elsewhere. */
const OURS = new Set([
  'XRAY_LOCATION_CONFIG',
  'XRAY_LOCATION_CONFDIR',
  'XRAY_LOCATION_ASSET',
  'XRAY_LOCATION_CERT',
  'XRAY_JSON_STRICT',
]);

export interface CorePlaces {
  /** Folder of geoip.dat, geosite.dat and other geo files. */
  assetDir: string;
  /** Base of relative certificate paths. */
  certDir: string;
}

/** Environment of every core process, helper commands included. `xray.*` spellings are dropped: they would win. */
export function coreEnvironment(own: NodeJS.ProcessEnv, places: CorePlaces): NodeJS.ProcessEnv {
  const passed = Object.entries(own).filter(([name]) => {
    const key = name.toUpperCase();
    return PASSED.has(key) || (key.startsWith('XRAY_') && !OURS.has(key));
  });
  return {
    ...Object.fromEntries(passed),
    XRAY_LOCATION_ASSET: places.assetDir,
    XRAY_LOCATION_CERT: places.certDir,
    // Faster, and correct for files that we write ourselves.
    XRAY_JSON_STRICT: 'true',
  };
}
