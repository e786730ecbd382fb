/** What opens the panels of the tests. */
export const ADMIN = { username: 'admin', password: 'open sesame' };
export const API_TOKEN = 'tokenOfTheTests';
