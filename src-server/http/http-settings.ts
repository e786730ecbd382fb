/** The settings that the edge reads. The address, the base path and the certificate files are read once, at start. */
export interface HttpSettings {
  /** When set, any other Host is refused. */
  webDomain: string;
  webBasePath: string;
  /** Empty = plain HTTP. */
  webCertFile: string;
  webKeyFile: string;
  /** Comma list of IPs and CIDRs; blank = loopback. */
  trustedProxyCIDRs: string;
}
