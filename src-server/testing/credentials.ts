/** Credentials of the tests' panels. */
export const ADMIN = { username: 'admin', password: 'open sesame' };
export const API_TOKEN = 'tokenOfTheTests';
