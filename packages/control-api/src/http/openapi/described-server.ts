import swagger from '@fastify/swagger';
import { noCompilers } from '@steward/service-kit/http/http-server';
import { groups } from '@steward/shared/api/endpoint';
import { scopes } from '@steward/shared/scopes';
import fastify from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { completeDocument, removeUnusedSchemas } from './document.ts';
import { bearerScheme, describedRoutes } from './route-schema.ts';

/** A server that never listens: it has the declared endpoints only to describe them, for `npm run generate`. */
export async function describedServer(version: string) {
  const server = fastify({ logger: false, schemaController: noCompilers });
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Steward control API',
        version,
        description: 'Monitor and control a dedicated co-op farm server.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [...groups],
      security: [{ [bearerScheme]: [] }],
      components: {
        securitySchemes: {
          [bearerScheme]: {
            type: 'http',
            scheme: 'bearer',
            description: keyText,
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (input) => {
      const document = jsonSchemaTransformObject(input);
      removeUnusedSchemas(document);
      return completeDocument(document);
    },
  });
  for (const route of describedRoutes()) server.route({ ...route, handler: neverCalled });
  await server.ready();
  return server;
}

/** For who reads the document, which has no table for what a bearer may. */
const keyText = [
  'The API_KEY of the server, if it has one, which can do everything; or a key with some scopes. No scope includes',
  'another, except `admin`, which includes all.',
  ...Object.entries(scopes).map(([name, means]) => `\`${name}\`: ${means}.`),
].join(' ');

function neverCalled(): never {
  throw new Error('this route is only described here');
}
