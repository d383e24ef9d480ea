export { startService } from './start.ts';
export type { RunningService } from './start.ts';
export { StartError } from './start-error.ts';
export { defaults, readSettings, SettingsError } from './settings/index.ts';
export type { SettingName, Settings } from './settings/index.ts';
export { cloudUsers } from './clouds.ts';
export type { CloudUser } from './clouds.ts';
