// Imported on demand: a panel without such a certificate never loads it.
export { axios, Client, crypto, directory } from 'acme-client';
