import * as z from 'zod';
import { CertificateWarning } from '../../contract/certificate-warning.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/line.ts';

const BASE = '/panel/api/server';

/** Bytes. */
const Amount = z.object({ current: z.number(), total: z.number() });

/** The panel that is active on a shared database. */
export const ActivePanel = z.object({
  /** Name of its machine; empty = not known. */
  name: z.string(),
  /** Where its web interface is reached; empty = not known. */
  address: z.string(),
});
export type ActivePanel = z.infer<typeof ActivePanel>;

/** What this machine and its core do right now. Always complete: what cannot be known is 0 or empty. */
export const ServerStatus = z.object({
  /** Percent of all processors together, 0..100, smoothed. */
  cpu: z.number(),
  cpuCores: z.number(),
  logicalPro: z.number(),
  cpuSpeedMhz: z.number(),
  mem: Amount,
  swap: Amount,
  /** Space on the volume that holds the data folder, in bytes. */
  disk: Amount,
  /** What the disks do now, in bytes per second. */
  diskIO: z.object({
    /** Bytes that are read. */
    read: z.number(),
    /** Bytes that are written. */
    write: z.number(),
  }),
  /** What the disks did since the machine started, in bytes. */
  diskTraffic: z.object({
    /** Bytes that are read. */
    read: z.number(),
    /** Bytes that are written. */
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
    /** Number of the process; null while it does not run. */
    pid: z.int().nullable(),
    /** How often it was started anew after an end that nobody asked for, since the panel started. */
    restarts: z.int(),
    /** When that was last, in ms since 1970, 0 = never. */
    lastRestart: z.int(),
    /** What is stored but cannot run, with the reason; everything else runs. */
    leftOut: z.array(
      z.object({
        /** What kind of thing it is: inbound, client, fallback, mask, outbound or rule. */
        kind: z.string(),
        /** Its tag, or how else it is called. */
        name: z.string(),
        reason: z.string(),
      }),
    ),
  }),
  panelVersion: z.string(),
  panelGuid: z.string(),
  /** The web server of this panel. */
  web: z.object({
    /** Why the web port is closed or its certificate is not served, in English; empty = all is well. */
    problem: z.string(),
  }),
  /** There while this panel stands by: which one is active on their database. It changes nothing and runs no core. */
  standby: ActivePanel.optional(),
  /** Seconds since the operating system started. */
  uptime: z.number(),
  /** How many processes ran or waited to run, on average; computed where the system keeps no such figure. */
  load: z.object({ load1: z.number(), load5: z.number(), load15: z.number() }),
  /** The same three averages as a list. */
  loads: z.tuple([z.number(), z.number(), z.number()]),
  /** TCP sockets in any state, listeners included. */
  tcpCount: z.number(),
  udpCount: z.number(),
  /** Bytes and packets per second. */
  netIO: z.object({ up: z.number(), down: z.number(), pktUp: z.number(), pktDown: z.number() }),
  /** Bytes and packets since the machine started, virtual interfaces left out. */
  netTraffic: z.object({ sent: z.number(), recv: z.number(), pktSent: z.number(), pktRecv: z.number() }),
  /** Public addresses; empty here: the panel does not ask third parties for its own address. */
  publicIP: z.object({ ipv4: z.string(), ipv6: z.string() }),
  /** The processes of the panel and the core. */
  appStats: z.object({
    /** Number of the panel's process. */
    pid: z.int(),
    /** Threads of the panel's process. */
    threads: z.number(),
    /** Memory of the panel's process, in bytes. */
    mem: z.number(),
    /** Seconds since the core started, 0 = it does not run. */
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
    /** Private half, for the inbound. Keep it secret. */
    privateKey: z.string(),
    /** Public half, for clients. */
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
    /** Pairs by mode. Halves of different entries do not fit each other. */
    auths: z.array(
      z.object({
        /** Name of the mode: `x25519` or `mlkem768`, alone or with `_xorpub` or `_random`. */
        id: z.string(),
        /** The same in words, from the core. */
        label: z.string(),
        /** Half of the clients: their `encryption`. */
        encryption: z.string(),
        /** Half of the inbound: its `decryption`. Keep it secret. */
        decryption: z.string(),
      }),
    ),
  }),
});

/** Public name of an ECH config: a host name that a certificate can carry. */
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
    /** Public name that clients show in place of the real one. */
    sni: EchPublicName,
  }),
  result: z.object({
    /** Keys for the inbound, its `echServerKeys`, base64. Keep them secret. */
    echKeySet: z.string(),
    /** The same as a list of one. */
    echServerKeys: z.array(z.string()),
    /** What clients get, base64. */
    echConfigList: z.string(),
  }),
});

export const getReachability = endpoint('GET', `${BASE}/reachability`, {
  summary: 'Where other devices of the network reach this panel.',
  result: z.object({
    /** Addresses of the panel, best first; empty while it answers on this machine only. */
    addresses: z.array(z.string()),
    /** IP addresses of this machine, whatever listens there; those of the internet first. */
    hosts: z.array(z.string()),
  }),
});

export const getWebCertFiles = endpoint('GET', `${BASE}/getWebCertFiles`, {
  summary: "Paths of the panel's own certificate and key; empty when it has none.",
  result: z.object({ webCertFile: z.string(), webKeyFile: z.string() }),
});

/** What serves a certificate, and what is wrong with it. */
export const ServedCertificates = z.object({
  /** Who serves the certificate. */
  owner: z.enum(['panel', 'subscription', 'inbound']),
  /** Number of the inbound; 0 for the panel's own servers. */
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
    /** Path of a file that an inbound or the panel's settings name; wins when it is not blank. */
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
     * Host name or address; the port follows after a colon unless it is 443, and an IPv6 address stands in brackets
     * before it.
     */
    server: line(512).optional(),
  }),
  result: z.array(z.string()),
});
