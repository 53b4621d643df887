import { ServiceError } from '@service-mcp/core';

/**
 * NOT_FOUND for an address under a layer of ours. Said here, because core would take the methods of the layer
 * (`/docs/:file`, the one of a whole group) for methods of the address, and answer METHOD_NOT_ALLOWED.
 */
export function nothingHere(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is nothing at this address. /openapi.json lists the routes.');
}
