import type { Given } from './given.ts';
import type { SettingName, Settings } from './schema.ts';

export interface Context {
  settings: Settings;
  given: Partial<Record<SettingName, Given>>;
}

/** Settings that are each right but do not go together: what to say, or nothing. */
const rules: ((context: Context) => string | undefined)[] = [
  ({ settings, given }) =>
    settings.sandbox === true && settings.keystoneAuthUrl !== undefined
      ? `${given.sandbox?.from} asks for the sandbox cloud and ${given.keystoneAuthUrl?.from} for another one: give only one of them`
      : undefined,
  ({ settings, given }) =>
    settings.sandbox === false && settings.keystoneAuthUrl === undefined
      ? `${given.sandbox?.from} is false, so a Keystone is needed: give --keystone-auth-url`
      : undefined,
  ({ settings, given }) =>
    settings.keystoneAuthUrl !== undefined && settings.keystonePassword === undefined
      ? `${given.keystoneAuthUrl?.from} is given without the service user's password: set JEROBOAM_KEYSTONE_PASSWORD`
      : undefined,
  ({ settings, given }) =>
    settings.keystoneAuthUrl === undefined && given.keystonePassword !== undefined
      ? `${given.keystonePassword.from} is given without a Keystone to use it with: give --keystone-auth-url`
      : undefined,
  ({ settings, given }) =>
    given.sandboxPort !== undefined && settings.keystoneAuthUrl !== undefined
      ? `${given.sandboxPort.from} is given, but with ${given.keystoneAuthUrl?.from} there is no sandbox cloud`
      : undefined,
  ({ settings, given }) =>
    settings.kubeconfig !== undefined && settings.managementCluster === 'off'
      ? `${given.kubeconfig?.from} names a management cluster and ${given.managementCluster?.from} asks for none: give only one of them`
      : undefined,
  ({ settings, given }) =>
    settings.sandboxPort !== undefined && settings.sandboxPort !== 0 && settings.sandboxPort === settings.port
      ? `${given.sandboxPort?.from} is ${settings.sandboxPort}, which is the port of the API: give another one`
      : undefined,
  ({ settings, given }) =>
    settings.metricsPort !== undefined &&
    settings.metricsPort !== 0 &&
    settings.metricsHost === settings.host &&
    settings.metricsPort === settings.port
      ? `${given.metricsPort?.from} is ${settings.metricsPort}, which is the port of the API: give another one`
      : undefined,
  ({ settings, given }) =>
    !settings.networkDriverAllowed.includes('all') &&
    !settings.networkDriverAllowed.includes(settings.networkDriverDefault)
      ? `the default network driver ${settings.networkDriverDefault} is not among those that ` +
        `${given.networkDriverAllowed?.from} allows: set network_driver_default to one of them`
      : undefined,
];

export function contradictions(context: Context): string[] {
  return rules.map((rule) => rule(context)).filter((sentence) => sentence !== undefined);
}
