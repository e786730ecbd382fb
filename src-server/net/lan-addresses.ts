import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { bracketed } from '../contract/host-and-port.ts';

/** One address of an interface, as the operating system lists it. */
interface Listed {
  address: string;
  family: string;
  internal: boolean;
}

/**
 * IPv4 addresses under which other devices find this machine, those of private networks first. Link-local ones are left
 * out: they mean that the network assigned none. Empty without a network.
 */
export function lanAddresses(
  interfaces: Readonly<Record<string, readonly Listed[] | undefined>> = networkInterfaces(),
): string[] {
  const found = Object.values(interfaces)
    .flatMap((listed) => listed ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => ({ address, range: ipaddr.parse(address).range() }))
    .filter(({ range }) => range !== 'linkLocal');
  const isPrivate = ({ range }: { range: string }): boolean => range === 'private';
  return [...found.filter(isPrivate), ...found.filter((one) => !isPrivate(one))].map(({ address }) => address);
}

/**
 * Addresses of this machine for devices anywhere: public IPv4 first, then IPv4 of private networks, and public IPv6
 * last, since many of those change daily.
 */
export function ownHosts(
  interfaces: Readonly<Record<string, readonly Listed[] | undefined>> = networkInterfaces(),
): string[] {
  const isPublic = (address: string): boolean => ipaddr.parse(address).range() === 'unicast';
  const near = lanAddresses(interfaces);
  const ipv6 = Object.values(interfaces)
    .flatMap((listed) => listed ?? [])
    .filter(({ address, family, internal }) => family === 'IPv6' && !internal && isPublic(address));
  return [
    ...near.filter(isPublic),
    ...near.filter((address) => !isPublic(address)),
    ...ipv6.map(({ address }) => address),
  ];
}

/**
 * Hosts under which other devices reach a server listening at `listen`.
 * @param listen literal IP; empty = all addresses
 * @param own addresses of this machine; @returns empty when only this machine can reach it
 */
export function hostsBeyond(listen: string, own: readonly string[] = lanAddresses()): string[] {
  const range = listen === '' ? 'unspecified' : ipaddr.isValid(listen) ? ipaddr.process(listen).range() : 'loopback';
  if (range === 'unspecified') return [...own];
  return range === 'loopback' ? [] : [bracketed(listen)];
}
