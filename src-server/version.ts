import description from '../package.json' with { type: 'json' };

/** Version of this panel, as package.json states it. */
export const PANEL_VERSION: string = description.version;
