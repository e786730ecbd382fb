import type clients from './en/clients.json';
import type clientTools from './en/clientTools.json';
import type desktop from './en/desktop.json';
import type core from './en/core.json';
import type groups from './en/groups.json';
import type inbounds from './en/inbounds.json';
import type jsonEditor from './en/jsonEditor.json';
import type overview from './en/overview.json';
import type settings from './en/settings.json';
import type logs from './en/logs.json';
import type shell from './en/shell.json';
import type signIn from './en/signIn.json';

declare module 'i18next' {
  /** English is the source: a key that it lacks does not compile. */
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: {
      clients: typeof clients;
      clientTools: typeof clientTools;
      desktop: typeof desktop;
      core: typeof core;
      groups: typeof groups;
      inbounds: typeof inbounds;
      jsonEditor: typeof jsonEditor;
      overview: typeof overview;
      settings: typeof settings;
      logs: typeof logs;
      shell: typeof shell;
      signIn: typeof signIn;
    };
  }
}
