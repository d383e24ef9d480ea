import type { ImageVersion } from './wanted.ts';

/** Images hardly ever change what they say, and while a cluster is worked on they are asked again and again. */
const rememberMs = 60_000;

/** The same, asking at most once a minute for each image. Failures and images that say nothing are asked again. */
export function remembered(imageVersion: ImageVersion, now: () => number = Date.now): ImageVersion {
  const known = new Map<string, { version: string; at: number }>();
  return async (image) => {
    const held = known.get(image);
    if (held !== undefined && now() - held.at < rememberMs) return held.version;
    known.delete(image);
    const version = await imageVersion(image);
    if (version !== null) known.set(image, { version, at: now() });
    return version;
  };
}
