import { createTheme } from '@mantine/core';

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
    Modal: { defaultProps: { centered: true } },
    Drawer: { defaultProps: { position: 'right', size: 'lg' } },
  },
});
