import { Button, ColorSwatch, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconLayoutGrid, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { ConnectionView, DesktopBridge, LiveState } from '../../src-main/bridge/contract.ts';
import { desktopBridge } from '../api/desktop.ts';
import { keys } from '../api/keys.ts';
import { announceFailure } from '../ui/notices/announce.ts';
import classes from './shell.module.css';

/** Shows the panel this window is connected to and switches to others. Empty in a browser, which has one panel. */
export function ConnectionSwitcher() {
  const bridge = desktopBridge();
  return bridge === null ? null : <Switcher bridge={bridge} />;
}

function Switcher({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation(['desktop', 'words']);
  const navigate = useNavigate();
  const isPolling = useLiveState(bridge) === 'polling';
  const { data: connections = [] } = useQuery({
    queryKey: keys.connections,
    queryFn: () => bridge.connections.list(),
  });
  const current = connections.find(({ isCurrent }) => isCurrent);
  if (current === undefined) return null;
  const nameOf = ({ id, name }: ConnectionView): string => (id === 'local' ? t('local') : name);
  const color = `var(--mantine-color-${current.color}-6)`;
  return (
    <>
      <div className={classes['tint']} style={{ backgroundColor: color }} data-color={current.color} />
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<ColorSwatch color={color} size={12} />}
            rightSection={<IconChevronDown size={14} />}
            aria-label={t('switcher.label', { name: nameOf(current) })}
          >
            <bdi>{nameOf(current)}</bdi>
            {isPolling && (
              <Text span size="xs" c="dimmed" ms={6}>
                {t('switcher.polling')}
              </Text>
            )}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {connections.map((connection) => (
            <Menu.Item
              key={connection.id}
              fw={connection.isCurrent ? 700 : 400}
              aria-current={connection.isCurrent}
              leftSection={<ColorSwatch color={`var(--mantine-color-${connection.color}-6)`} size={12} />}
              onClick={() =>
                void (connection.isCurrent ? undefined : bridge.connections.use(connection.id).catch(announceFailure))
              }
            >
              <bdi>{nameOf(connection)}</bdi>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLayoutGrid size={14} />} onClick={() => void navigate('/desktop/home')}>
            {t('words:allPanels')}
          </Menu.Item>
          <Menu.Item leftSection={<IconSettings size={14} />} onClick={() => void navigate('/desktop/connections')}>
            {t('words:managePanels')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function useLiveState(bridge: DesktopBridge): LiveState | null {
  const [state, setState] = useState<LiveState | null>(null);
  useEffect(() => bridge.live.listen(() => undefined, setState), [bridge]);
  return state;
}
