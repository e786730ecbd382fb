/**
 * Stands in for the panel where the Node of an old Electron cannot run it: speaks the same words with the process of the
 * window, and answers one call over the private socket.
 */
const { createServer } = require('node:http');
const { rmSync } = require('node:fs');

const socket = process.argv
  .find((argument) => argument.startsWith('--window-socket='))
  .slice('--window-socket='.length);
rmSync(socket, { force: true });
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ success: true, msg: '', obj: { pid: process.pid, kind: process.type ?? 'node' } }));
});
process.parentPort.on('message', ({ data }) => {
  process.stdout.write(`heard ${data}\n`);
  if (data === 'stop') process.exit(0);
  // A restart that the panel asks for.
  if (data === 'suspend') process.exit(86);
});
server.listen(socket, () => {
  const place = { pid: process.pid, socket, panel: 'http://127.0.0.1:1/', sub: '' };
  process.parentPort.postMessage({ type: 'ready', place, firstAdmin: { username: 'me', password: 'shown once' } });
});
