import * as z from 'zod';
import { CertificateWarning } from '../../contract/certificate-warning.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/fields/line.ts';

const BASE = '/panel/api/server';

/** Bytes. */
const Amount = z.object({ current: z.number(), total: z.number() });

/** The active panel on a shared database. */
export const ActivePanel = z.object({
  /** Name of its machine; empty = not known. */
  name: z.string(),
  /** Address of its web interface; empty = unknown. */
  address: z.string(),
});
export type ActivePanel = z.infer<typeof ActivePanel>;

/** Current state of this machine and its core. Always complete: unknown values are 0 or empty. */
export const ServerStatus = z.object({
  /** Usage of all processors together in percent, 0..100, smoothed. */
  cpu: z.number(),
  cpuCores: z.number(),
  logicalPro: z.number(),
  cpuSpeedMhz: z.number(),
  mem: Amount,
  swap: Amount,
  /** Space on the volume that holds the data folder, in bytes. */
  disk: Amount,
  /** Current disk throughput, in bytes per second. */
  diskIO: z.object({
    /** Bytes read. */
    read: z.number(),
    /** Bytes written. */
    write: z.number(),
  }),
  /** Disk throughput since the machine started, in bytes. */
  diskTraffic: z.object({
    /** Bytes read. */
    read: z.number(),
    /** Bytes written. */
    write: z.number(),
  }),
  /** The core of this panel. */
  core: z.object({
    /** `running`; `stop`: stopped by hand or not started yet; `error`: it cannot run. */
    state: z.enum(['running', 'stop', 'error']),
    /** Why the state is `error`; empty while it runs. */
    errorMsg: z.string(),
    /** Version of the core, such as 26.7.28, or `Unknown`. */
    version: z.string(),
    /** Process id; null while it does not run. */
    pid: z.int().nullable(),
    /** How often it was restarted after an unexpected exit, since the panel started. */
    restarts: z.int(),
    /** Time of the last such restart, in ms since 1970; 0 = never. */
    lastRestart: z.int(),
    /** Stored things that cannot run, with the reason; everything else runs. */
    leftOut: z.array(
      z.object({
        /** Kind of the thing: inbound, client, fallback, mask, outbound or rule. */
        kind: z.string(),
        /** Its tag, or another name. */
        name: z.string(),
        reason: z.string(),
      }),
    ),
  }),
  panelVersion: z.string(),
  panelGuid: z.string(),
  /** The web server of this panel. */
  web: z.object({
    /** Why the web port is closed or its certificate is not served, in English; empty = no problem. */
    problem: z.string(),
  }),
  /**
   * Present only on a standby panel: the active panel of the shared database. The standby changes nothing and runs no
   * core.
   */
  standby: ActivePanel.optional(),
  /** Seconds since the operating system started. */
  uptime: z.number(),
  /** Load averages: how many processes ran or waited to run; computed where the system does not provide them. */
  load: z.object({ load1: z.number(), load5: z.number(), load15: z.number() }),
  /** The same three averages as a list. */
  loads: z.tuple([z.number(), z.number(), z.number()]),
  /** TCP sockets in any state, listeners included. */
  tcpCount: z.number(),
  udpCount: z.number(),
  /** Bytes and packets per second. */
  netIO: z.object({ up: z.number(), down: z.number(), pktUp: z.number(), pktDown: z.number() }),
  /** Bytes and packets since the machine started, without virtual interfaces. */
  netTraffic: z.object({ sent: z.number(), recv: z.number(), pktSent: z.number(), pktRecv: z.number() }),
  /** Public addresses; always empty, because the panel does not ask third parties for its own address. */
  publicIP: z.object({ ipv4: z.string(), ipv6: z.string() }),
  /** The processes of the panel and the core. */
  appStats: z.object({
    /** Process id of the panel. */
    pid: z.int(),
    /** Number of threads of the panel's process. */
    threads: z.number(),
    /** Memory of the panel's process, in bytes. */
    mem: z.number(),
    /** Seconds since the core started; 0 = it does not run. */
    uptime: z.number(),
  }),
});
export type ServerStatus = z.infer<typeof ServerStatus>;

export const getStatus = endpoint('GET', `${BASE}/status`, {
  summary: 'Figures of the machine and the core, refreshed every two seconds.',
  result: ServerStatus,
});

export const getConfigJson = endpoint('GET', `${BASE}/getConfigJson`, {
  summary: 'The assembled config of the core, private keys included.',
  result: z.record(z.string(), z.unknown()),
});

export const stopCoreService = endpoint('POST', `${BASE}/stopCoreService`, {
  summary: 'Stops the core until it is started again by hand or with the panel.',
  result: z.null(),
  message: 'server.coreStopped',
});

export const restartCoreService = endpoint('POST', `${BASE}/restartCoreService`, {
  summary: 'Starts the core, or restarts it; an invalid config leaves the running core as it is.',
  result: z.null(),
  message: 'server.coreRestarted',
});

export const getNewUUID = endpoint('GET', `${BASE}/getNewUUID`, {
  summary: 'A new UUID, version 4.',
  result: z.string(),
});

export const getNewX25519Cert = endpoint('GET', `${BASE}/getNewX25519Cert`, {
  summary: 'A new X25519 key pair, base64url without padding.',
  result: z.object({
    /** Private key, for the inbound. Keep it secret. */
    privateKey: z.string(),
    /** Public key, for clients. */
    publicKey: z.string(),
  }),
});

export const getNewmldsa65 = endpoint('GET', `${BASE}/getNewmldsa65`, {
  summary: 'A new ML-DSA-65 seed and its verification key.',
  result: z.object({
    /** The same as `seed`. */
    privateKey: z.string(),
    /** The same as `verify`. */
    publicKey: z.string(),
    /** Seed for the REALITY settings of the inbound. Keep it secret. */
    seed: z.string(),
    /** Verification key for clients. */
    verify: z.string(),
  }),
});

export const getNewmlkem768 = endpoint('GET', `${BASE}/getNewmlkem768`, {
  summary: 'A new ML-KEM-768 seed and its encapsulation key.',
  result: z.object({
    /** Encapsulation key for clients. */
    clientKey: z.string(),
    /** Seed for the inbound. Keep it secret. */
    serverKey: z.string(),
    /** The same as `serverKey`. */
    seed: z.string(),
    /** The same as `clientKey`. */
    client: z.string(),
  }),
});

export const getNewVlessEnc = endpoint('GET', `${BASE}/getNewVlessEnc`, {
  summary: 'New VLESS encryption pairs in every mode.',
  result: z.object({
    /** Pairs by mode. The halves of different entries do not match. */
    auths: z.array(
      z.object({
        /** Name of the mode: `x25519` or `mlkem768`, alone or with `_xorpub` or `_random`. */
        id: z.string(),
        /** Description of the mode, from the core. */
        label: z.string(),
        /** Client half: the value of `encryption`. */
        encryption: z.string(),
        /** Inbound half: the value of `decryption`. Keep it secret. */
        decryption: z.string(),
      }),
    ),
  }),
});

/** Public name of an ECH config: a host name that a certificate can contain. */
export const EchPublicName = z
  .string()
  .trim()
  .max(253)
  .regex(
    /^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i,
    'must be a host name such as example.com',
  );

export const getNewEchCert = endpoint('POST', `${BASE}/getNewEchCert`, {
  onStandby: 'answers',
  summary: 'A new ECH key set for a public name.',
  body: z.object({
    /** Public name that clients show instead of the real one. */
    sni: EchPublicName,
  }),
  result: z.object({
    /** Keys for the inbound's `echServerKeys`, base64. Keep them secret. */
    echKeySet: z.string(),
    /** The same as a list with one element. */
    echServerKeys: z.array(z.string()),
    /** ECH config list for clients, base64. */
    echConfigList: z.string(),
  }),
});

export const getReachability = endpoint('GET', `${BASE}/reachability`, {
  summary: 'Where other devices of the network reach this panel.',
  result: z.object({
    /** Addresses of the panel, best first; empty while it can only be reached from this machine. */
    addresses: z.array(z.string()),
    /** IP addresses of this machine, whether or not something listens there; public ones first. */
    hosts: z.array(z.string()),
  }),
});

export const getWebCertFiles = endpoint('GET', `${BASE}/getWebCertFiles`, {
  summary: "Paths of the panel's own certificate and key; empty when it has none.",
  result: z.object({ webCertFile: z.string(), webKeyFile: z.string() }),
});

/** A served certificate and what is wrong with it. */
export const ServedCertificates = z.object({
  /** Server that uses the certificate. */
  owner: z.enum(['panel', 'subscription', 'inbound']),
  /** Id of the inbound; 0 for the panel's own servers. */
  inboundId: z.int(),
  /** Remark or tag of the inbound; empty for the panel's own servers. */
  name: z.string(),
  /** What is wrong with it; empty = nothing. */
  warnings: z.array(CertificateWarning),
});
export type ServedCertificates = z.infer<typeof ServedCertificates>;

export const getCertificates = endpoint('GET', `${BASE}/certificates`, {
  summary:
    "The panel's servers and the inbounds of this machine that are on and serve a certificate, with what is wrong with it.",
  result: z.array(ServedCertificates),
});

export const getCertHash = endpoint('POST', `${BASE}/getCertHash`, {
  onStandby: 'answers',
  summary: 'SHA-256 of the certificates in a file that the panel uses, or in a text.',
  body: z.object({
    /** Path of a file that an inbound or the panel's settings use; takes precedence when not blank. */
    certFile: z.string().max(4096).optional(),
    /** The certificates themselves: PEM, or DER in base64. */
    certContent: z.string().max(1_048_576).optional(),
  }),
  result: z.array(z.string()),
});

export const getRemoteCertHash = endpoint('POST', `${BASE}/getRemoteCertHash`, {
  onStandby: 'answers',
  summary: 'SHA-256 of the certificate that a server presents.',
  body: z.object({
    /**
     * Host name or address, followed by `:port` unless the port is 443; an IPv6 address is written in brackets.
     */
    server: line(512).optional(),
    /** Name to ask for (SNI); absent and empty = that of the server itself. */
    sni: line(253).optional(),
  }),
  result: z.array(z.string()),
});
