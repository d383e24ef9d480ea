import { reasonPhrase } from '../http/api-error.ts';
import type { Cloud, CloudService } from '../http/service.ts';
import type { SeededIdentity } from '../identity/seed.ts';
import { imageRoutes } from './images.ts';
import type { Image } from './model.ts';
import { schemaRoutes } from './schemas.ts';
import { seedImages } from './seed.ts';
import { versionRoutes } from './versions.ts';

// Glance lets its web framework speak for it, markup and all.
const UNAUTHORIZED =
  'This server could not verify that you are authorized to access the document you requested. ' +
  'Either you supplied the wrong credentials (e.g., bad password), or your browser does not understand ' +
  'how to supply the credentials required.';

/** Glance: images with their properties. Their data is measured, hashed and thrown away. */
export function imageService(cloud: Cloud, people: SeededIdentity): CloudService {
  const images = cloud.objects.collection<Image>('image.image');
  return {
    path: '/image',
    catalog: [{ type: 'image', name: 'glance', url: '$(sandbox_url)s/image' }],
    seed: () => seedImages(cloud, images, people),
    publicRoutes: (app) => versionRoutes(app, cloud),
    routes(app) {
      imageRoutes(app, cloud, images);
      schemaRoutes(app);
    },
    errorBody: (status, message) => ({
      message: `${status === 401 ? UNAUTHORIZED : message}<br /><br />\n\n\n`,
      code: `${status} ${reasonPhrase(status)}`,
      title: reasonPhrase(status),
    }),
  };
}
