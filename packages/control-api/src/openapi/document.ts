import swagger from '@fastify/swagger';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { completeDocument } from './complete-document.ts';
import { tags } from './tags.ts';
import { removeUnusedSchemas } from './used-schemas.ts';

export const documentPath = '/api-spec/v1/api-spec.json';

/** The name that the document gives the key. */
export const bearerScheme = 'apiKey';

/** Describes the routes that are added after it, from the schemas that they are checked with. */
export async function describeApi(server: HttpServer, version: string): Promise<void> {
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
      tags: [...tags],
      security: [{ [bearerScheme]: [] }],
      components: {
        securitySchemes: {
          [bearerScheme]: {
            type: 'http',
            scheme: 'bearer',
            description: 'The API_KEY of the server, where it has one',
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
}
