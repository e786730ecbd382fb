// Imported on demand: a panel without ACME certificates never loads it.
export { axios, Client, crypto, directory } from 'acme-client';
