export interface X25519Pair {
  /** base64url without padding, 43 characters; clamped, so it is the text the core would show. */
  privateKey: string;
  publicKey: string;
}

/** `privateKey` is the seed again: nothing uses the expanded key. `verify` is an alias of `publicKey`. */
export interface Mldsa65Pair {
  privateKey: string;
  publicKey: string;
  seed: string;
  verify: string;
}

/** `seed` and `client` are aliases of the two keys. */
export interface Mlkem768Pair {
  clientKey: string;
  serverKey: string;
  seed: string;
  client: string;
}

export interface EchCertificate {
  /** Text of `tlsSettings.echServerKeys` on the inbound, standard base64. */
  echKeySet: string;
  echServerKeys: string[];
  /** What clients get, standard base64. */
  echConfigList: string;
}
