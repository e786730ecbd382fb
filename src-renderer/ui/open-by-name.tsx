import { Anchor } from '@mantine/core';

/** A row's name as a button that opens it. */
export function OpenByName({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" fw={600} c="inherit" ta="start" onClick={onOpen}>
      <bdi>{name}</bdi>
    </Anchor>
  );
}
