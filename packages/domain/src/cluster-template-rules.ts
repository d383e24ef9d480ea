import { Fault } from './faults.ts';
import { pythonText, shownText } from './python-text.ts';

/** What the operator allows of container networks. */
export interface NetworkDriverPolicy {
  allowed: readonly string[];
  default: string;
}

const networkDrivers = ['flannel', 'calico', 'cilium'];
const volumeDrivers = ['cinder'];
const serverTypes = ['vm', 'bm'];
const devicemapperMinimum = 3;

/** Magnum's sentence for a choice that is none: `what` was chosen, `choices` are the ones there are. */
const unsupported = (field: string, what: string, choices: readonly string[]): Fault => {
  const kind = field.replace('_', ' ');
  return new Fault('not_supported', `${what}, expecting a ${choices.join('/')}/unspecified ${kind}.`, {
    field,
  });
};

export function checkCoe(coe: unknown): void {
  if (coe === 'kubernetes') return;
  const shown = coe === undefined ? 'Unset' : shownText(coe);
  throw new Fault('not_supported', `Requested COE type ${shown} is not supported.`, { field: 'coe' });
}

export function checkServerType(type: unknown): void {
  if (type === undefined || serverTypes.some((known) => known === type)) return;
  throw unsupported('server_type', `Server type ${shownText(type)} is not supported`, serverTypes);
}

export function checkNetworkDriver(driver: string, policy: NetworkDriverPolicy): void {
  const chosen = `Network driver type ${shownText(driver)}`;
  if (!networkDrivers.includes(driver))
    throw unsupported('network_driver', `${chosen} is not supported`, networkDrivers);
  if (policy.allowed.includes('all') || policy.allowed.includes(driver)) return;
  const refusal = unsupported('network_driver', `${chosen} is not allowed`, policy.allowed);
  // The blank at the end is Magnum's.
  throw new Fault(refusal.kind, `${refusal.message} `, { field: 'network_driver' });
}

export function checkVolumeDriver(driver: string | null): void {
  if (driver === null || volumeDrivers.includes(driver)) return;
  throw unsupported(
    'volume_driver',
    `Volume driver type ${shownText(driver)} is not supported`,
    volumeDrivers,
  );
}

/** devicemapper needs a volume of its own, and not too small a one. */
export function checkStorageDriver(storageDriver: string | null, dockerVolumeSize: number | null): void {
  if (storageDriver !== 'devicemapper' || (dockerVolumeSize ?? 0) >= devicemapperMinimum) return;
  const message =
    `docker volume size ${pythonText(dockerVolumeSize)} GB is not valid, ` +
    `expecting minimum value ${devicemapperMinimum}GB for devicemapper storage driver.`;
  throw new Fault('not_supported', message, { field: 'docker_volume_size' });
}

const ipv4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** One IPv4 address, or several separated by commas. */
export function checkNameservers(value: string | null): void {
  if (value === null || value.split(',').every((address) => ipv4.test(address.trim()))) return;
  const message = `Expected a single dns address or comma separated dns list, but received ${shownText(value)}.`;
  throw new Fault('invalid_input', message, { field: 'dns_nameserver' });
}

/** The size of the boot volume: the label's, else the operator's; 0 means that the flavor's disk is used. */
export function bootVolumeSize(labels: Readonly<Record<string, string>> | null, fallback: number): number {
  const text = labels?.['boot_volume_size'];
  if (text === undefined) return fallback;
  if (/^\s*[+-]?\d+\s*$/.test(text)) return Number(text);
  throw new Fault('invalid_input', 'boot_volume_size must be an integer', { field: 'labels' });
}
