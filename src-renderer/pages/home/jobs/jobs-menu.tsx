import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** Actions on several panels at once. */
export function JobsMenu() {
  const { t } = useTranslation('works');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">{t('several')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/desktop/several">
          {t('verbs.title')}
        </Menu.Item>
        <Menu.Item component={Link} to="/desktop/transfer">
          {t('transfer.title')}
        </Menu.Item>
        <Menu.Item component={Link} to="/desktop/compare">
          {t('compare.title')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
