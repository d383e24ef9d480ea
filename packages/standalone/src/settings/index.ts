export { helpText } from './help.ts';
export { SettingsError } from './problem.ts';
export { defaults, readSettings } from './read.ts';
export type { ReadSettings } from './read.ts';
export { schema, settingNames } from './schema.ts';
export type { SettingName, Settings } from './schema.ts';
