import { createTheme, mergeThemeOverrides, type MantineThemeOverride } from '@mantine/core';
import type { TFunction } from 'i18next';
import classes from './kit.module.css';

/** The kit's dialogs have a header element, which counts as a second banner of the page. */
const PLAIN_HEADER = { header: { role: 'presentation' } };

const TITLE = { title: classes['title'] ?? '' };

/** The panel's tokens over the kit's theme. Components use these names and never a literal colour. */
const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', 'Vazirmatn Variable', system-ui, sans-serif",
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    // As large as the surrounding text.
    Anchor: { defaultProps: { inherit: true } },
    AppShell: { classNames: { main: classes['ground'] ?? '' } },
    Modal: {
      defaultProps: { centered: true, attributes: PLAIN_HEADER },
      classNames: { ...TITLE, inner: classes['modalInner'] ?? '', content: classes['modalContent'] ?? '' },
    },
    // The kit gives a title the colour of its icon, which is too pale on the tinted ground in light colours.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    Drawer: { defaultProps: { position: 'right', size: 'lg', attributes: PLAIN_HEADER }, classNames: TITLE },
    Card: { classNames: { root: classes['card'] ?? '' } },
    // Descriptions stand below the input: fields side by side stay aligned, however long the text is.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // A button without words is named to the keyboard as to the pointer.
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: false } } },
    Tabs: { classNames: { list: classes['tabs'] ?? '' } },
    Table: { classNames: { th: classes['th'] ?? '' } },
    TableScrollContainer: {
      defaultProps: { type: 'native' },
      classNames: { scrollContainer: classes['tableCard'] ?? '' },
    },
  },
});

/** The theme, with the kit's own words in the chosen language. */
export function themeIn(t: TFunction): MantineThemeOverride {
  const closing = { defaultProps: { closeButtonProps: { 'aria-label': t('close') } } };
  return mergeThemeOverrides(theme, {
    components: {
      Modal: closing,
      Drawer: closing,
      Notification: closing,
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': t('showPassword') } } },
    },
  });
}
