import { ActionIcon, Button, Group, Menu, Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { barRoom } from './layout/bar-room.ts';
import classes from './selection-verbs.module.css';

/** Buttons beside the menu on a phone. */
const ON_PHONE = 3;

interface Verb {
  label: string;
  onClick: () => void;
  isBusy?: boolean;
  isDanger?: boolean;
}

interface SelectionVerbsProps {
  label: string;
  /** The most used first. */
  verbs: readonly Verb[];
  /** Always in the menu, on every screen size. */
  more?: readonly Verb[];
  onClear: () => void;
  /** Number of selected rows. */
  children: ReactNode;
}

/** Actions on the selected rows, in a bar at the bottom of their list. */
export function SelectionVerbs({ label, verbs, more = [], onClear, children }: SelectionVerbsProps) {
  const { t } = useTranslation(['shell', 'words']);
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const shown = isPhone ? verbs.slice(0, ON_PHONE) : verbs;
  const folded = isPhone ? [...more, ...verbs.slice(ON_PHONE)] : more;
  return (
    <Paper
      ref={barRoom}
      withBorder
      shadow="md"
      p={isPhone ? 'xs' : 'sm'}
      className={classes['bar'] ?? ''}
      role="region"
      aria-label={label}
    >
      <Group gap="xs">
        {children}
        <Group gap="xs" className={classes['verbs'] ?? ''}>
          {shown.map((verb) => (
            <Button
              key={verb.label}
              size="xs"
              variant={verb.isDanger ? 'filled' : 'default'}
              {...(verb.isDanger && { color: 'red.9' })}
              loading={verb.isBusy ?? false}
              onClick={verb.onClick}
            >
              {verb.label}
            </Button>
          ))}
          {folded.length > 0 && (
            <Menu position="top-end" withinPortal>
              <Menu.Target>
                <Button size="xs" variant="default">
                  {t('words:more')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {folded.map((verb) => (
                  <Menu.Item key={verb.label} {...(verb.isDanger && { color: 'red' })} onClick={verb.onClick}>
                    {verb.label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
        {isPhone ? (
          <ActionIcon
            variant="subtle"
            size={44}
            className={classes['clear'] ?? ''}
            aria-label={t('selection.clear')}
            onClick={onClear}
          >
            <IconX size={20} aria-hidden />
          </ActionIcon>
        ) : (
          <Button size="xs" variant="subtle" onClick={onClear}>
            {t('selection.clear')}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
