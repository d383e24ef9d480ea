import { KubeError, type KubeObject, type WatchHandler } from '../../src/index.ts';

/** What a watch told, in order, and a way to wait for it. */
export interface Watched {
  handler: WatchHandler<KubeObject>;
  told: string[];
  errors: Error[];
  /** Resolves when this has been told, so often in all. */
  hears(what: string, times?: number): Promise<void>;
}

export function listen(): Watched {
  const told: string[] = [];
  const errors: Error[] = [];
  const waiting: { isSo: () => boolean; resolve: () => void }[] = [];
  const tell = (what: string): void => {
    told.push(what);
    for (const { isSo, resolve } of waiting) if (isSo()) resolve();
  };
  return {
    told,
    errors,
    handler: {
      changed: (object) => tell(`changed ${object.metadata.name}`),
      gone: (object) => tell(`gone ${object.metadata.name}`),
      listed: (objects) => tell(`listed ${objects.map(({ metadata }) => metadata.name).join(',')}`),
      failed: (error) => {
        errors.push(error);
        tell(`failed ${error instanceof KubeError ? error.status : ''}`.trim());
      },
    },
    hears: (what, times = 1) =>
      new Promise((resolve) => {
        const isSo = () => told.filter((each) => each === what).length >= times;
        if (isSo()) resolve();
        else waiting.push({ isSo, resolve });
      }),
  };
}
