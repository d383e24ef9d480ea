import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';

/** Counts requests and their time by route, so that the names in metrics are as few as the routes. */
export function registerMetrics(app: FastifyInstance, { metrics }: Services): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}
