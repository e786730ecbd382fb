import { SimpleGrid } from '@mantine/core';
import { TunnelCard } from './tunnel-card.tsx';
import { VpnCard } from './vpn-card.tsx';

/** Accounts with providers that become outbounds of the template. */
export function ProvidersSection() {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <TunnelCard />
      <VpnCard />
    </SimpleGrid>
  );
}
