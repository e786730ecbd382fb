import type { Socket } from 'node:net';

/** Credentials for a proxy. */
export interface ProxyCredentials {
  username: string;
  password: string;
}

const WITHOUT_SIGN_IN = 0;
const BY_PASSWORD = 2;

/**
 * Requests a connection from the SOCKS5 proxy at the other end of `socket`; afterwards the socket leads to the target.
 * A name is resolved by the proxy. @throws {Error} when it refuses or ends
 */
export async function socksHandshake(
  socket: Socket,
  host: string,
  port: number,
  credentials?: ProxyCredentials,
): Promise<void> {
  const methods = credentials === undefined ? [WITHOUT_SIGN_IN] : [WITHOUT_SIGN_IN, BY_PASSWORD];
  socket.write(Uint8Array.of(5, methods.length, ...methods));
  const [, method] = await readExactly(socket, 2);
  if (method === BY_PASSWORD && credentials !== undefined) await signIn(socket, credentials);
  else if (method !== WITHOUT_SIGN_IN) throw new Error('it asks for another way to sign in');
  const name = Buffer.from(host);
  // Its length is one byte: of a longer name the proxy would take the beginning, which nobody has checked.
  if (name.length > 255) throw new Error('the name of the host is too long');
  socket.write(Buffer.concat([Uint8Array.of(5, 1, 0, 3, name.length), name, Uint8Array.of(port >> 8, port & 255)]));
  const head = await readExactly(socket, 4);
  if (head[1] !== 0) throw new Error('the outbound refused the connection');
  const length = head[3] === 1 ? 4 : head[3] === 4 ? 16 : (await readExactly(socket, 1))[0]!;
  await readExactly(socket, length + 2);
}

/** RFC 1929. */
async function signIn(socket: Socket, { username, password }: ProxyCredentials): Promise<void> {
  const [user, secret] = [Buffer.from(username), Buffer.from(password)];
  if (user.length > 255 || secret.length > 255) throw new Error('its user name or password is too long');
  socket.write(Buffer.concat([Uint8Array.of(1, user.length), user, Uint8Array.of(secret.length), secret]));
  const [, verdict] = await readExactly(socket, 2);
  if (verdict !== 0) throw new Error('it refuses the user name or password');
}

function readExactly(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const finish = (): void => void socket.off('readable', take).off('close', fail);
    const fail = (): void => {
      finish();
      reject(new Error('the connection was closed'));
    };
    const take = (): void => {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes === null) return;
      finish();
      resolve(bytes);
    };
    socket.on('readable', take).once('close', fail);
    take();
  });
}
