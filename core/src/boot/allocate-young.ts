import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from allocating objects as old ones where many of their kind have lived long, as they do while a deployment
 * starts. Objects of requests can be of these kinds, and a dead old object keeps all that it refers to until the next
 * full collection: most of a request.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
