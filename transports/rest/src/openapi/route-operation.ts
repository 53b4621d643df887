import type { BodyDescription, JsonSchema, OwnedRoute } from '@service-mcp/core';
import type { ComponentSchemas } from './component-schemas.js';
import type { FailureResponses } from './failures.js';

/** The operation object of a route that belongs to no tool. */
export function routeOperation(
  route: OwnedRoute,
  schemas: ComponentSchemas,
  failures: FailureResponses,
): Record<string, unknown> {
  const { id, owner, summary, description, parameters = [], body, failureForm } = route;
  const embed = (schema: JsonSchema) => schemas.embedder(id, schema)(schema);
  const contentOf = (bodies: readonly BodyDescription[]) =>
    Object.fromEntries(
      bodies.map(({ type = 'application/json', schema }) => [type, { schema: embed(schema) }]),
    );
  const failing = failures.of(route.failures ?? [], failureForm);
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const { description: text, bodies = [] } = answer;
    // A status of the error table too: what answers it can be either.
    const either =
      status in failing ? bodies.map((each) => orFailure(each, failures.schema(failureForm))) : bodies;
    return [status, { description: text, ...(bodies.length > 0 && { content: contentOf(either) }) }];
  });
  return {
    operationId: id,
    tags: [owner],
    summary,
    description,
    ...(parameters.length > 0 && {
      parameters: parameters.map(({ schema, ...rest }) => ({
        required: rest.in === 'path',
        ...rest,
        schema: embed(schema),
      })),
    }),
    ...(body && { requestBody: { required: body.required, content: contentOf([body]) } }),
    responses: { ...failing, ...Object.fromEntries(answers) },
    ...(route.open && { security: [] }),
  };
}

const orFailure = (body: BodyDescription, failure: JsonSchema): BodyDescription => ({
  ...body,
  schema: { anyOf: [body.schema, failure] },
});

/** Every schema of a route. */
export function schemasOf({ parameters = [], body, answers }: OwnedRoute): JsonSchema[] {
  const bodies = Object.values(answers).flatMap((answer) => answer.bodies ?? []);
  return [...parameters, ...(body ? [body] : []), ...bodies].map(({ schema }) => schema);
}
