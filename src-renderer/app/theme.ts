import { createTheme } from '@mantine/core';

/** The kit's dialogs have a header element, which counts as a second banner of the page. */
const PLAIN_HEADER = { header: { role: 'presentation' } };

/** The panel's tokens over the kit's theme. Components use these names and never a literal colour. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', 'Vazirmatn Variable', system-ui, sans-serif",
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    Modal: { defaultProps: { centered: true, attributes: PLAIN_HEADER } },
    // The kit colours a title like its icon, which is too pale on the tinted ground in light colours.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    Drawer: { defaultProps: { position: 'right', size: 'lg', attributes: PLAIN_HEADER } },
  },
});
