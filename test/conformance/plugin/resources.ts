import { defineResource } from '@service-mcp/core';
import { access, PNG } from './declare.js';

const declared = { access, uses: {} } as const;

function text(uri: string, name: string, said: string) {
  return defineResource({
    ...declared,
    uriTemplate: uri,
    name,
    title: name,
    description: `The resource ${name} of the suite.`,
    mimeType: 'text/plain',
    read: async () => [{ uri, mimeType: 'text/plain', text: said }],
  });
}

export const resources = [
  text('test://static-text', 'static-text', 'This is the content of the static text resource.'),
  text('test://watched-resource', 'watched-resource', 'This is what is watched.'),
  defineResource({
    ...declared,
    uriTemplate: 'test://static-binary',
    name: 'static-binary',
    title: 'static-binary',
    description: 'An image.',
    mimeType: 'image/png',
    read: async () => [{ uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }],
  }),
  defineResource({
    ...declared,
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    title: 'template',
    description: 'Data of an id.',
    mimeType: 'application/json',
    async read({ id }) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return [{ uri: `test://template/${id}/data`, mimeType: 'application/json', text: data }];
    },
  }),
];
