/** 2026-11-15T18:50:22Z: Glance, Neutron. */
export function secondsZ(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** 2026-11-15T18:50:22.000000Z: Keystone's tokens, which know whole seconds only. */
export function microsecondsZ(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, '.000000Z');
}

/** 2026-11-15T18:50:22.000000: Nova, Cinder and application credentials, in UTC without saying so. */
export function microseconds(at: number): string {
  return microsecondsZ(at).slice(0, -1);
}
