import ipaddr from 'ipaddr.js';

/**
 * A file in the format of the core's `geoip.dat`. @param lists blocks such as `5.1.0.0/16` by the name of their list
 */
export function geoFile(lists: Readonly<Record<string, readonly string[]>>): Buffer {
  return Buffer.concat(
    Object.entries(lists).map(([name, blocks]) =>
      part(1, Buffer.concat([part(1, Buffer.from(name)), ...blocks.map((block) => part(2, cidr(block)))])),
    ),
  );
}

function cidr(block: string): Buffer {
  const [address, prefix] = ipaddr.parseCIDR(block);
  return Buffer.concat([part(1, Buffer.from(address.toByteArray())), Buffer.from([0x10, ...varint(prefix)])]);
}

function part(field: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([field * 8 + 2, ...varint(content.length)]), content]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
