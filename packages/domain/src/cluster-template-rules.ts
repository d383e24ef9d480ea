import { Fault } from './faults.ts';
import { pythonText } from './python-text.ts';

/** What the operator allows of container networks. */
export interface NetworkDriverPolicy {
  allowed: readonly string[];
  default: string;
}

const networkDrivers = ['flannel', 'calico', 'cilium'];
const volumeDrivers = ['cinder'];
const serverTypes = ['vm', 'bm'];
const devicemapperMinimum = 3;

const unsupported = (
  what: string,
  value: unknown,
  verdict: string,
  choices: readonly string[],
  field: string,
): Fault => {
  const kind = what.toLowerCase().replace(' type', '');
  const message = `${what} ${pythonText(value)} is not ${verdict}, expecting a ${choices.join('/')}/unspecified ${kind}.`;
  return new Fault('not_supported', message, { field });
};

export function checkCoe(coe: unknown): void {
  if (coe === 'kubernetes') return;
  const shown = coe === undefined ? 'Unset' : pythonText(coe);
  throw new Fault('not_supported', `Requested COE type ${shown} is not supported.`, { field: 'coe' });
}

export function checkServerType(serverType: unknown): void {
  if (serverType === undefined || serverTypes.includes(String(serverType))) return;
  const message = `Server type ${pythonText(serverType)} is not supported, expecting a ${serverTypes.join('/')}/unspecified server type.`;
  throw new Fault('not_supported', message, { field: 'server_type' });
}

export function checkNetworkDriver(driver: string, policy: NetworkDriverPolicy): void {
  if (!networkDrivers.includes(driver))
    throw unsupported('Network driver type', driver, 'supported', networkDrivers, 'network_driver');
  if (policy.allowed.includes('all') || policy.allowed.includes(driver)) return;
  throw unsupported('Network driver type', driver, 'allowed', policy.allowed, 'network_driver');
}

export function checkVolumeDriver(driver: string | null): void {
  if (driver === null || volumeDrivers.includes(driver)) return;
  throw unsupported('Volume driver type', driver, 'supported', volumeDrivers, 'volume_driver');
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
  const message = `Expected a single dns address or comma separated dns list, but received ${value}.`;
  throw new Fault('invalid_input', message, { field: 'dns_nameserver' });
}

/** The size of the boot volume: the label's, else the operator's; 0 means that the flavor's disk is used. */
export function bootVolumeSize(labels: Readonly<Record<string, string>> | null, fallback: number): number {
  const text = labels?.['boot_volume_size'];
  if (text === undefined) return fallback;
  if (/^\s*[+-]?\d+\s*$/.test(text)) return Number(text);
  throw new Fault('invalid_input', 'boot_volume_size must be an integer', { field: 'labels' });
}
