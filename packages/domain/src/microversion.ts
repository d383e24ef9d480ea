/** Magnum's microversions: 1.1 … 1.14, asked for in the header `OpenStack-API-Version: <service> <version>`. */
export const minMinor = 1;
export const maxMinor = 14;
export const serviceType = 'container-infrastructure-management';
const serviceWords = new Set([serviceType, 'container-infra', 'container-infrastructure']);

export type MicroversionResult =
  | { ok: true; minor: number }
  /** The header makes no sense. */
  | { ok: false; problem: 'malformed'; detail: string }
  /** The version is well-formed but not served. */
  | { ok: false; problem: 'unsupported'; requested: string; detail: string };

const range = `The supported version range is: [${serviceType} 1.${minMinor}, ${serviceType} 1.${maxMinor}].`;

/** What version a request asks for; no header means 1.1, as clients that know no microversions expect. */
export function parseMicroversion(header: string | undefined): MicroversionResult {
  if (header === undefined) return { ok: true, minor: minMinor };
  const words = header.split(/\s+/).filter((word) => word !== '');
  const [service, version] = words;
  // Old clients of other services send "latest" after any word; Magnum lets them through.
  if (words.length === 2 && version?.toLowerCase() === 'latest') return { ok: true, minor: maxMinor };
  if (words.length !== 2 || service === undefined || version === undefined || !serviceWords.has(service)) {
    return {
      ok: false,
      problem: 'malformed',
      detail: 'Invalid service type for OpenStack-API-Version header',
    };
  }
  const match = /^([+-]?\d+)\.([+-]?\d+)$/.exec(version);
  if (match === null)
    return { ok: false, problem: 'malformed', detail: 'Invalid value for OpenStack-API-Version header' };
  const major = Number(match[1]);
  const minor = Number(match[2]);
  if (major !== 1) {
    return {
      ok: false,
      problem: 'unsupported',
      requested: version,
      detail: `Mutually exclusive versions requested. Version ${version} requested but not supported by this service.${range}`,
    };
  }
  if (minor < minMinor || minor > maxMinor) {
    return {
      ok: false,
      problem: 'unsupported',
      requested: version,
      detail: `Version ${version} was requested but the minor version is not supported by this service. ${range}`,
    };
  }
  return { ok: true, minor };
}
