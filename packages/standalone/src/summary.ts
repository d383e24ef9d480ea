import type { RunningService } from './start.ts';
import { version } from './version.ts';

/** What to know after a start, in a few lines; the last one is for programs that wait for it. */
export function summary(service: RunningService): string {
  const facts: [string, string | null][] = [
    ['data', service.dataDir],
    ['clouds file', service.cloudsFile],
    ['sandbox cloud', service.sandboxUrl],
    ['management', service.managementCluster],
    ['metrics', service.metricsUrl],
    ['log', service.logFile],
  ];
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(14)} ${value}`]));
  const example =
    service.cloudsFile === null
      ? []
      : [
          '',
          '  Try it with the OpenStack client:',
          `  OS_CLIENT_CONFIG_FILE=${shellWord(service.cloudsFile)} openstack --os-cloud jeroboam coe cluster list`,
        ];
  return [`Jeroboam ${version()} is up.`, '', ...lines, ...example, '', `ready: ${service.url}`, ''].join(
    '\n',
  );
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
