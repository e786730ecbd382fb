/** English texts of this domain. */
export const texts: Readonly<Record<string, string>> = {
  'coreSettings.saved.unchanged': 'The parameters have been changed.',
  'coreSettings.saved.live': 'The parameters have been changed. The running core has taken them without a restart.',
  'coreSettings.saved.restarted': 'The parameters have been changed. The core has been restarted.',
  'coreSettings.saved.notRunning': 'The parameters have been changed. They take effect when the core is started.',
  'coreSettings.templateInvalid': 'core template config invalid: {text}',
  'coreSettings.storedTemplateInvalid':
    'core template config invalid: the stored template is not JSON. Open the core settings and save a valid one.',
  'coreSettings.outboundsNotArray': 'core template config outbounds is not an array: {found}',
  'coreSettings.geoFilesMissing':
    'core template config invalid: it needs {files}, which this panel does not have. Update the geo files, or remove the rules that name them.',
  'coreSettings.handlerRejected': 'core rejects {kind} "{tag}": {text}',
  'coreSettings.templateRejected': 'core rejects the template: {text}',
  'coreSettings.savedNotApplied': 'The parameters are saved, but the core has not taken them: {text}',
  'coreSettings.outboundRequired': 'outbound parameter is required',
  'coreSettings.outboundsRequired': 'outbounds parameter is required',
  'coreSettings.outboundsInvalid': 'invalid outbounds JSON: {text}',
  'coreSettings.tooManyOutbounds': 'too many outbounds in one request (max 50)',
  'coreSettings.tagRequired': 'tag is required',
  'coreSettings.unknownBalancer': 'the running core has no balancer "{tag}"',
  'coreSettings.unknownTarget': 'the running core has no outbound "{target}"',
  'coreSettings.overrideLoops': 'traffic through "{target}" would come back to the balancer "{tag}"',
  'coreSettings.noChoice': 'the core cannot choose an outbound: {text}',
  'coreSettings.destinationRequired': 'domain or ip is required',
  'coreSettings.invalidPort': 'invalid port',
  'coreSettings.invalidIp': 'invalid IP address: {ip}',
};
