/** English texts of this domain's error codes and messages. */
export const texts: Readonly<Record<string, string>> = {
  'certificate.unknown': 'There is no such certificate.',
  'certificate.nameTaken': 'Another certificate has this name already.',
  'certificate.badName': '"{name}" is no host name that an authority certifies',
  'certificate.address': '"{name}" is an address: authorities certify names; a self-signed certificate takes addresses',
  'certificate.wildcard': '{name}: names with a star are proven by DNS only; choose the DNS challenge',
  'certificate.directoryUrl': 'the address of the directory must begin with https:// and hold no password',
  'certificate.terms': 'the terms of service of the authority must be agreed to',
  'certificate.eabMissing': 'this authority wants an account: enter the key id and the HMAC key that it gave you',
  'certificate.eabKey': 'the HMAC key is not base64url as the authority shows it',
  'certificate.hook': 'choose a program for the DNS challenge; it has to lie in {folder} and be executable',
  'certificate.listenAddress': 'this is no address of a machine',
  'certificate.tooMany': 'A panel keeps {max} certificates at most.',
  'certificate.busy': 'This certificate is being worked on; wait for the job or cancel it.',
  'certificate.inUse': 'The certificate is in use by the inbounds {inbounds}. Choose another one there first.',
  'certificate.inUseByPanel': 'The web interface uses this certificate. Choose another one in its settings first.',
  'certificate.inUseBySubscription':
    'The subscription server uses this certificate. Choose another one in its settings first.',
  'certificate.noneYet': 'There is no certificate yet that could be revoked.',
  'certificate.selfSignedRevoke': 'A self-signed certificate cannot be revoked: nobody asks who signed it.',
  'certificate.private':
    'the directory {host} leads to {address}, an address of an internal network; allow that if it is meant',
  'certificate.unreachable': 'the authority is not reached: {text}',
  'certificate.directory': 'the address answers, but not as the directory of an authority: {text}',
  'certificate.portTaken': 'port {port} is taken by another program: stop it, or prove the name by another challenge',
  'certificate.portForbidden':
    'the panel may not listen on port {port}: give it CAP_NET_BIND_SERVICE, or use another challenge',
  'certificate.addressElsewhere': 'this machine does not have the address {address} for the answer to the challenge',
  'certificate.portNoTls':
    'the panel itself listens on port {port}, without TLS: it cannot answer the TLS-ALPN challenge there',
  'certificate.challengeMissing': 'the authority does not offer the challenge {challenge} for {name}',
  'certificate.notReached':
    'the authority does not get through to {name} on port {port}: open the port to the internet and see that the name leads here. It says: {text}',
  'certificate.wrongAnswer':
    'another machine or program answers for {name}: see that its name leads here and nothing stands in between. The authority says: {text}',
  'certificate.dns': 'the name {name} cannot be resolved, or its record is not there yet. The authority says: {text}',
  'certificate.caa': 'a CAA record of {name} forbids this authority to certify it. The authority says: {text}',
  'certificate.tls': 'the TLS answer for {name} is not the expected one. The authority says: {text}',
  'certificate.rejectedName': 'the authority does not certify one of the names: {text}',
  'certificate.rateLimited': 'the authority allows no more orders for now: {text}',
  'certificate.account': 'the authority does not accept the account: {text}',
  'certificate.authority': 'the authority cannot answer now: {text}',
  'certificate.refused': 'the authority refuses: {text}',
  'certificate.tooSlow': 'the authority has not decided within {minutes} minutes',
  'certificate.unusable': 'what the authority sent is no certificate for these names and this key',
  'certificate.hookMissing':
    'the program {hook} is not in the folder of DNS hooks, or not executable by the owner alone',
  'certificate.hookFailed': 'the program {hook} ended with {code}; the log has what it said',
  'certificate.hookSlow': 'the program {hook} did not end within {seconds} s',
  'certificate.panelEnded':
    'the panel has ended before it had the certificate: it goes on with its next start, or repeat the command',
  'certificate.notWritten': 'the certificate cannot be written into the data folder: {text}',
};
