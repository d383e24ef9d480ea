import { schema, settingNames } from './schema.ts';
import type { Setting } from './setting.ts';
import { flagOf, keyOf, variableOf } from './setting.ts';

const introduction = `Usage: npm start -- [flags]

Runs Jeroboam, managed Kubernetes with the Magnum API. Without any flag it brings its own PostgreSQL and a sandbox
OpenStack cloud, and writes a clouds.yaml to use them with.

Each setting can be given as a flag, as a variable of the environment, or in the YAML file of --config under the
name of the flag with underscores; flags win over variables and variables over the file. Durations (30s, 5m) and
sizes (1MiB) may carry units.`;

/** All settings with their defaults and variables, grouped as in the schema. */
export function helpText(): string {
  const lines = [introduction];
  let group = '';
  for (const name of settingNames) {
    const setting: Setting<unknown> = schema[name];
    if (setting.group !== group) lines.push('', `${setting.group}:`);
    group = setting.group;
    lines.push(
      `  ${flagOf(name)} ${setting.kind.placeholder}`,
      `      ${setting.description}`,
      `      [${[defaultOf(setting), variableOf(name), keyOf(name)].filter((part) => part !== '').join('; ')}]`,
    );
  }
  lines.push('', '  --help', '      this text', '  --version', '      the version', '');
  return lines.join('\n');
}

function defaultOf(setting: Setting<unknown>): string {
  if (setting.defaultText !== undefined) return `default: ${setting.defaultText}`;
  return setting.default === undefined ? '' : `default: ${setting.kind.show(setting.default)}`;
}
